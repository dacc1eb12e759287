import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Public } from '../common/http/public.js';
import { VIEWS_FOLDER } from './pages.js';

const ASSETS = ['style.css', 'icon.svg'];

/** What the pages are made of besides HTML. */
@Public()
@Controller()
export class PageAssetsController {
  @Get('pages/:asset')
  asset(@Param('asset') name: string, @Res() response: Response): void {
    if (!ASSETS.includes(name)) {
      throw new NotFoundException();
    }
    response.sendFile(name, { root: VIEWS_FOLDER, cacheControl: false, lastModified: false });
  }
}
