import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Public } from '../platform/http/public.js';
import en from '../platform/i18n/messages/en.json' with { type: 'json' };

const ASSETS_FOLDER = fileURLToPath(new URL('./assets', import.meta.url));
const ASSETS = new Set(readdirSync(ASSETS_FOLDER).filter((name) => !name.endsWith('.d.ts')));

/**
 * The name of the module with the texts that scripts show. Scripts read these texts with the function `t`
 * (assets/text.js).
 */
const MESSAGES = 'messages.js';
const TEXTS = Object.fromEntries(
  Object.entries(en.scripts).map(([name, text]) => [`scripts.${name}`, text]),
);
const MESSAGES_MODULE = `export const language = 'en';
export const messages = ${JSON.stringify(TEXTS)};
`;

const MESSAGES_TAG = `"${createHash('sha256').update(MESSAGES_MODULE).digest('base64url')}"`;

/** Serves the style sheets, the scripts, the texts of the scripts, and the icons. */
@Public()
@Controller()
export class PageAssetsController {
  /** Serves an asset. Browsers cache the asset, but revalidate it for each use. */
  @Get('pages/:asset')
  asset(@Param('asset') name: string, @Res() response: Response): void {
    if (name !== MESSAGES && !ASSETS.has(name)) {
      throw new NotFoundException();
    }
    response.set('Cache-Control', 'no-cache');
    if (name === MESSAGES) {
      response.set('ETag', MESSAGES_TAG).type('text/javascript').send(MESSAGES_MODULE);
    } else {
      response.sendFile(name, { root: ASSETS_FOLDER, cacheControl: false, lastModified: false });
    }
  }
}
