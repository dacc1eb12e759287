import cors from 'cors';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { Config } from '../config/config.js';
import { withoutSlash } from './at-path.js';
import { protocolOfCall } from './protocols.js';

/**
 * Response headers that web clients may read, in addition to those that browsers always expose (the Fetch standard,
 * "CORS-safelisted response-header name").
 */
const EXPOSED = [
  ...['X-Error', 'X-Error-Code', 'X-Request-Id', 'X-Source', 'Retry-After', 'WWW-Authenticate'],
  ...['user', 'key'].flatMap((one) =>
    ['Limit', 'Remaining', 'Reset'].map((part) => `X-Limit-${one}-${part}`),
  ),
  'Content-Disposition',
];

/** How long a browser remembers that calls are allowed. Chromium accepts no more. */
const REMEMBERED_SECONDS = 7200;

const ACCOUNT_METHODS = ['GET', 'POST'];

/**
 * Allows web clients of other origins to call the API, without the cookies of its users (docs/decisions/0065). Pages
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
 * Returns true for cross-origin requests of scripts. Other OPTIONS requests are not preflight requests, and are
 * rejected as usual.
 */
const isFromScript = ({ method, headers }: Request): boolean =>
  headers.origin !== undefined &&
  (method !== 'OPTIONS' || headers['access-control-request-method'] !== undefined);
