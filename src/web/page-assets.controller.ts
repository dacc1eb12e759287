import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Public } from '../platform/http/public.js';

const ASSETS_FOLDER = fileURLToPath(new URL('./assets', import.meta.url));
const ASSETS = new Set(readdirSync(ASSETS_FOLDER));

/** Serves style sheets, scripts and icons. */
@Public()
@Controller()
export class PageAssetsController {
  /** Serves an asset. Browsers cache assets, and revalidate them for each use. */
  @Get('pages/:asset')
  asset(@Param('asset') name: string, @Res() response: Response): void {
    if (!ASSETS.has(name)) {
      throw new NotFoundException();
    }
    response.set('Cache-Control', 'no-cache');
    response.sendFile(name, { root: ASSETS_FOLDER, cacheControl: false, lastModified: false });
  }
}
