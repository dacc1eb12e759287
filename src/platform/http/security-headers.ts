import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

import { HostMissingError, MethodNotAllowedError } from '../common/common.errors.js';
import type { Config } from '../config/config.js';
import { protocolOfCall } from './protocols.js';

const HOST = /^host$/i;
const OTHER_METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];

/** The headers of every answer: nothing is cached, framed, sniffed or run. */
export function securityHeaders({ publicUrl }: Config): RequestHandler {
  const isUnderTls = publicUrl?.protocol === 'https:';
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    frameguard: { action: 'deny' },
    // Other hosts below this one are not the service's to decide about.
    strictTransportSecurity: isUnderTls && { includeSubDomains: false },
  });
  const headers = [...headersOf(secure), ['Cache-Control', 'no-store'] as const];
  return (_request: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of headers) {
      response.setHeader(name, value);
    }
    next();
  };
}

/** Headers that are the same for every answer are asked for once: helmet has a function for each of them. */
function headersOf(secure: ReturnType<typeof helmet>): ReadonlyMap<string, string> {
  const request = new IncomingMessage(new Socket());
  const sample = new RecordedResponse(request);
  secure(request, sample, () => undefined);
  return sample.headers;
}

/** Tells names as they were given; Node's own response tells them in lower case. */
class RecordedResponse extends ServerResponse {
  readonly headers = new Map<string, string>();

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.headers.set(name, String(value));
    return this;
  }
}

/**
 * No endpoint has a use for another method, and Express would answer OPTIONS by itself (RFC 9110, 15.5.6) and HEAD
 * by running the handler of GET. Calls of a protocol have its methods.
 */
export function allowedMethods(request: Request, response: Response, next: NextFunction): void {
  const allowed = protocolOfCall(request.path)?.methods ?? OTHER_METHODS;
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

const HEADER = 'x-forwarded-for';
/** `203.0.113.7:4711` and `[2001:db8::7]:4711`, as some proxies write them. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/** Takes ports from forwarded addresses: each connection of a client would be another client to the limits. */
export function forwardedWithoutPorts(
  { headers }: Request,
  _response: Response,
  next: NextFunction,
): void {
  const forwarded = headers[HEADER];
  if (typeof forwarded === 'string' && forwarded.includes(':')) {
    headers[HEADER] = forwarded
      .split(',')
      .map((address) => address.trim().replace(WITH_PORT, '$1$2'))
      .join(', ');
  }
  next();
}
