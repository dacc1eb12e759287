import { Module } from '@nestjs/common';

import { ApiDocument } from './api-document.js';
import { DocsController, OpenApiController } from './openapi.controller.js';

/** Serves the API document for programs, and a page with the API document for people. */
@Module({
  controllers: [OpenApiController, DocsController],
  providers: [ApiDocument],
})
export class OpenApiModule {}
