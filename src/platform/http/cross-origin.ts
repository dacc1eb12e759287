import cors from 'cors';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { Config } from '../config/config.js';
import { withoutSlash } from './at-path.js';
import { protocolOfCall } from './protocols.js';

/**
 * The response headers that scripts of other origins may read, in addition to those that browsers always allow (Fetch
 * standard, "CORS-safelisted response-header name").
 */
const EXPOSED = [
  ...['X-Error', 'X-Error-Code', 'X-Request-Id', 'X-Source', 'Retry-After', 'WWW-Authenticate'],
  ...['user', 'key'].flatMap((one) =>
    ['Limit', 'Remaining', 'Reset'].map((part) => `X-Limit-${one}-${part}`),
  ),
  'Content-Disposition',
];

/**
 * The time in seconds for which a browser caches the permission for cross-origin calls. It is the maximum time in
 * Chromium.
 */
const REMEMBERED_SECONDS = 7200;

const ACCOUNT_METHODS = ['GET', 'POST'];

/**
 * Allows scripts of other origins to call the API, but without cookies (docs/decisions/0065). Web pages of the service
 * never allow other origins.
 */
export function crossOrigin(
  { corsOrigins }: Config,
  accountPaths: readonly string[],
): RequestHandler[] {
  if (corsOrigins?.length === 0) {
    return [];
  }
  const methodsAt = (path: string): readonly string[] | undefined =>
    protocolOfCall(path)?.methods ??
    (accountPaths.includes(withoutSlash(path)) ? ACCOUNT_METHODS : undefined);
  return [
    (request: Request, response: Response, next: NextFunction): void => {
      const methods = methodsAt(request.path);
      if (methods === undefined) {
        next();
        return;
      }
      response.vary('Origin');
      if (isFromScript(request)) {
        void allowing(methods, corsOrigins)(request, response, next);
      } else {
        next();
      }
    },
  ];
}

const allowing = (methods: readonly string[], origins: Config['corsOrigins']): RequestHandler =>
  cors({
    origin: origins === undefined ? '*' : [...origins],
    methods: [...methods],
    exposedHeaders: EXPOSED,
    maxAge: REMEMBERED_SECONDS,
  });

/**
 * Returns true for cross-origin requests of scripts, including preflight requests. Returns false for an OPTIONS request
 * that is not a preflight request.
 */
const isFromScript = ({ method, headers }: Request): boolean =>
  headers.origin !== undefined &&
  (method !== 'OPTIONS' || headers['access-control-request-method'] !== undefined);
