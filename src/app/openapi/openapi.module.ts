import { Module } from '@nestjs/common';

import { ApiDocument } from './api-document.js';
import { DocsController, OpenApiController } from './openapi.controller.js';

/** What the service says of itself: the API document, for programs and for people. */
@Module({
  controllers: [OpenApiController, DocsController],
  providers: [ApiDocument],
})
export class OpenApiModule {}
