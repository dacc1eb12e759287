import { Module } from '@nestjs/common';

import { ApiDocument } from './api-document.service.js';
import { DocsController } from './http/docs.controller.js';
import { OpenApiController } from './http/openapi.controller.js';

/** What the service says of itself: the API document, for programs and for people. */
@Module({
  controllers: [OpenApiController, DocsController],
  providers: [ApiDocument],
})
export class OpenApiModule {}
