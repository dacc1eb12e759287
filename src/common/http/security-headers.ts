import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

import type { Config } from '../../config/config.js';
import { HostMissingError, MethodNotAllowedError } from '../common.errors.js';
import { isV3Path } from './is-v3-path.js';

const HOST = /^host$/i;
/** Any call of the v3 API may come by GET, also one that changes the list: HEAD would have to run it to know the answer. */
const V3_METHODS: readonly string[] = ['GET', 'POST'];
const OTHER_METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];

/** The headers of every answer: nothing is cached, framed, sniffed or run. */
export function securityHeaders({ publicUrl }: Config): RequestHandler[] {
  const isUnderTls = publicUrl?.protocol === 'https:';
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      frameguard: { action: 'deny' },
      strictTransportSecurity: isUnderTls,
    }),
    noStore,
  ];
}

function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}

/**
 * No endpoint has a use for another method, and Express would answer OPTIONS by itself (RFC 9110, 15.5.6) and HEAD
 * by running the handler of GET.
 */
export function allowedMethods(request: Request, response: Response, next: NextFunction): void {
  const allowed = isV3Path(request.path) ? V3_METHODS : OTHER_METHODS;
  if (!allowed.includes(request.method)) {
    response.set('Allow', allowed.join(', '));
    throw new MethodNotAllowedError(request.method);
  }
  next();
}

/** Every request of HTTP/1.1 names its host, once (RFC 9112 section 3.2); Node drops a second one unseen. */
export function hostNamed(request: Request, response: Response, next: NextFunction): void {
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && HOST.test(name)).length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    response.set('Connection', 'close');
    throw new HostMissingError();
  }
  next();
}
