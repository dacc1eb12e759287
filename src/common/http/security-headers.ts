import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

import type { Config } from '../../config/config.js';
import { HostMissingError, MethodNotAllowedError } from '../common.errors.js';

const USED_METHODS = new Set(['GET', 'HEAD', 'POST']);

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

/** No endpoint has a use for another method, and Express would answer OPTIONS by itself (RFC 9110, 15.5.6). */
export function allowedMethods(request: Request, response: Response, next: NextFunction): void {
  if (!USED_METHODS.has(request.method)) {
    response.set('Allow', [...USED_METHODS].join(', '));
    throw new MethodNotAllowedError(request.method);
  }
  next();
}

/** Every request of HTTP/1.1 names its host (RFC 9112 section 3.2). */
export function hostNamed(request: Request, response: Response, next: NextFunction): void {
  if (request.headers.host === undefined && request.httpVersion === '1.1') {
    response.set('Connection', 'close');
    throw new HostMissingError();
  }
  next();
}
