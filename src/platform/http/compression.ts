import { constants } from 'node:zlib';

import compression from 'compression';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { Config } from '../config/config.js';
import { isApiPath } from './protocols.js';

/** The content types that are compressed: web pages, the API document and the answers to scripts of web pages. */
const TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/manifest+json',
  'text/css',
  'text/html',
  'text/javascript',
]);
/** The levels above which a page becomes hardly smaller (docs/decisions/0110). */
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
/** A window of 64 KB needs less memory than the default of 4 MB, and most pages are smaller. */
const BROTLI_WINDOW_BITS = 16;
/** The values of `Sec-Fetch-Site` of requests that no other site has caused. */
const OWN_REQUESTS = new Set(['none', 'same-origin']);

/**
 * Returns middleware that compresses web pages. Calls of APIs are not compressed. Files are not compressed either,
 * because an export can be large and is streamed.
 */
export function compressPages({ publicUrl }: Config): RequestHandler {
  const isUnderTls = publicUrl?.protocol === 'https:';
  const compress = compression({
    filter: (request: Request, response: Response) =>
      isText(response) && isOwn(request, isUnderTls || request.secure),
    level: GZIP_LEVEL,
    brotli: {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
      },
    },
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    if (isApiPath(request.path)) {
      next();
    } else {
      // A streamed download already has as many listeners as Node permits without a warning.
      response.setMaxListeners(response.getMaxListeners() + 1);
      compress(request, response, next);
    }
  };
}

function isText(response: Response): boolean {
  const [type = ''] = String(response.getHeader('content-type') ?? '').split(';', 1);
  return TYPES.has(type) && !response.hasHeader('content-disposition');
}

/**
 * Returns true if no other site has requested the page. Such a site could vary a value in the address, and guess the
 * secrets of the page from the size of the response (BREACH). Over plain HTTP, browsers do not name the site, and
 * anyone who can see the size can also see the page.
 */
function isOwn(request: Request, isUnderTls: boolean): boolean {
  const site = request.get('sec-fetch-site');
  return site === undefined ? !isUnderTls : OWN_REQUESTS.has(site);
}
