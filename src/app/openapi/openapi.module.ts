import { Module } from '@nestjs/common';

import { ApiDocument } from './api-document.js';
import { DocsController, OpenApiController } from './openapi.controller.js';

/** Serves the API document as JSON for programs and as a web page for people. */
@Module({
  controllers: [OpenApiController, DocsController],
  providers: [ApiDocument],
})
export class OpenApiModule {}
