import { extname } from 'node:path';

import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Public } from '../platform/http/public.js';
import { DEFAULT_LANGUAGE } from '../platform/i18n/languages.js';
import { assetsIn, findAsset, type PageAsset } from './page-assets.js';

/** The content of a hashed name never changes, so browsers need not revalidate it for a year. */
const UNCHANGING = 'max-age=31536000, immutable';

/** Headers for documents, and the id of the request. They would be half of the bytes of a small asset. */
const OTHER_HEADERS = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Origin-Agent-Cluster',
  'Referrer-Policy',
  'X-DNS-Prefetch-Control',
  'X-Download-Options',
  'X-Frame-Options',
  'X-Permitted-Cross-Domain-Policies',
  'X-Request-Id',
  'X-XSS-Protection',
];

/** Serves the style sheets, the scripts and the icons. */
@Public()
@Controller()
export class PageAssetsController {
  /**
   * Serves an asset. Browsers revalidate an asset without a hash, or with the hash of another version, for each use.
   * Pages and service workers of earlier versions request such names.
   */
  @Get('pages/:asset')
  async asset(
    @Param('asset') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const asset = findAsset(name);
    if (asset === undefined) {
      throw new NotFoundException();
    }
    response.set('Cache-Control', name === asset.hashedName ? UNCHANGING : 'no-cache');
    await send(asset, request, response.type(extname(name)));
  }

  /** Serves the icon that browsers request for pages without a link to an icon. */
  @Get('favicon.ico')
  async icon(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.set('Cache-Control', 'public, max-age=86400').type('image/x-icon');
    await send(assetsIn(DEFAULT_LANGUAGE).get('favicon.ico'), request, response);
  }
}

/** Sends an asset in the smallest encoding that the browser accepts. Sends 304 if the browser has this encoding. */
async function send(asset: PageAsset, request: Request, response: Response): Promise<void> {
  OTHER_HEADERS.forEach((name) => {
    response.removeHeader(name);
  });
  const encoding = asset.encodings.find((name) => request.acceptsEncodings([name]) === name);
  response.vary('Accept-Encoding').set('ETag', `"${asset.hash}${encoding ?? ''}"`);
  if (encoding === undefined) {
    response.send(asset.bytes);
  } else {
    const bytes = await asset.encoded(encoding);
    response.set('Content-Encoding', encoding).send(bytes);
  }
}
