import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Public } from '../../common/http/public.js';
import { Describes } from '../../common/openapi/operation.js';
import { ASSETS, PAGE_HTML, PAGE_POLICY, START_SCRIPT, UI_FOLDER } from './docs-page.js';
import { assetOperation, PAGE } from './openapi.operations.js';

/** The description of the service for people: Swagger UI from its package (docs/decisions/0018). */
@Public()
@Controller()
export class DocsController {
  @Get('docs')
  @Describes(PAGE)
  page(@Res() response: Response): void {
    response.set('Content-Security-Policy', PAGE_POLICY).type('html').send(PAGE_HTML);
  }

  @Get('docs/:asset')
  @Describes(assetOperation(ASSETS))
  asset(@Param('asset') name: string, @Res() response: Response): void {
    if (!ASSETS.includes(name)) {
      throw new NotFoundException();
    }
    response.set('Content-Security-Policy', PAGE_POLICY);
    if (name === START_SCRIPT.name) {
      response.type('text/javascript').send(START_SCRIPT.text);
      return;
    }
    response.sendFile(name, { root: UI_FOLDER, cacheControl: false, lastModified: false });
  }
}
