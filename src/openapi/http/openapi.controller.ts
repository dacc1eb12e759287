import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Public } from '../../common/http/public.js';
import { Describes } from '../../common/openapi/operation.js';
import { ApiDocument } from '../api-document.service.js';
import { DOCUMENT } from './openapi.operations.js';

/** The description of the service for programs (docs/decisions/0018). */
@Public()
@Controller()
export class OpenApiController {
  constructor(private readonly document: ApiDocument) {}

  @Get('openapi.json')
  @Describes(DOCUMENT)
  show(@Res() response: Response): void {
    response.type('application/json').send(this.document.bytes());
  }
}
