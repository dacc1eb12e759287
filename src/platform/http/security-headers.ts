import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

import {
  HostMissingError,
  MethodNotAllowedError,
  UnknownHostError,
} from '../common/common.errors.js';
import type { Warnings } from '../common/warnings.js';
import type { Config } from '../config/config.js';
import { addressIn, isHostOfPocket, isKnownHost } from './own-address.js';
import { protocolOfCall } from './protocols.js';

const HOST = /^host$/i;
const OTHER_METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];

/**
 * Adds the security headers to every response. They forbid caching, embedding in frames, content sniffing and scripts.
 */
export function securityHeaders({ publicUrl }: Config): RequestHandler {
  const isUnderTls = publicUrl?.protocol === 'https:';
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    frameguard: { action: 'deny' },
    // HSTS does not include subdomains of the service's host, because a subdomain may belong to another service.
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

/**
 * Returns the security headers, which are the same for all responses. helmet runs only once, because calling helmet for
 * every response would be slow.
 */
function headersOf(secure: ReturnType<typeof helmet>): ReadonlyMap<string, string> {
  const request = new IncomingMessage(new Socket());
  const sample = new RecordedResponse(request);
  secure(request, sample, () => undefined);
  return sample.headers;
}

/**
 * Records the headers under the names that helmet sets. A normal ServerResponse would return the names in lower case.
 */
class RecordedResponse extends ServerResponse {
  readonly headers = new Map<string, string>();

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.headers.set(name, String(value));
    return this;
  }
}

/**
 * Rejects unsupported HTTP methods (RFC 9110 section 15.5.6). Without this check, Express would answer OPTIONS itself,
 * and would run the GET handler for HEAD. Each API declares the methods that its endpoints support.
 */
export function allowedMethods(request: Request, response: Response, next: NextFunction): void {
  const allowed = protocolOfCall(request.path)?.methods ?? OTHER_METHODS;
  if (!allowed.includes(request.method)) {
    response.set('Allow', allowed.join(', '));
    throw new MethodNotAllowedError(request.method);
  }
  next();
}

/**
 * Requires exactly one Host header in every HTTP/1.1 request (RFC 9112 section 3.2). Node silently drops a second Host
 * header.
 */
export function hostNamed(request: Request, response: Response, next: NextFunction): void {
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && HOST.test(name)).length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    response.set('Connection', 'close');
    throw new HostMissingError();
  }
  next();
}

/**
 * Rejects requests for pages and accounts with the host of a stranger's website. Otherwise, the website could point its
 * domain to the address of this service, and its scripts could use the service like scripts of the service's own pages
 * (DNS rebinding). A script cannot change the Host header. A proxy may replace it, so X-Forwarded-Host is checked too.
 * Calls with tokens are accepted at any host, because clients may call the hosts of Pocket. The pages that such a client
 * opens in a browser redirect to PUBLIC_URL (docs/decisions/0146).
 */
export const knownHost =
  (config: Config, warnings: Warnings, isForAnyHost: (path: string) => boolean): RequestHandler =>
  (request, response, next) => {
    const hosts = isForAnyHost(request.path) ? [] : hostsOf(request);
    const unknown = hosts.filter((host) => !isKnownHost(host, config));
    if (unknown.length === 0) {
      next();
      return;
    }
    const page = unknown.every(isHostOfPocket) ? publicPage(request, config) : undefined;
    if (page === undefined) {
      warnings.once('host', new UnknownHostError().message);
      throw new UnknownHostError();
    }
    response.redirect(303, page);
  };

/** Returns the address of the requested page below PUBLIC_URL. Returns undefined for forms and without PUBLIC_URL. */
const publicPage = ({ method, url }: Request, { publicUrl }: Config): string | undefined =>
  publicUrl !== undefined && ['GET', 'HEAD'].includes(method) && url.startsWith('/')
    ? `${addressIn(publicUrl)}${url}`
    : undefined;

/**
 * Returns the hosts in the headers. A request without a Host header is of HTTP/1.0, which no browser sends. Some proxies
 * send an empty X-Forwarded-Host if they know no host.
 */
function hostsOf(request: Request): string[] {
  const forwarded = request.get('x-forwarded-host') ?? '';
  return [
    ...(request.headers.host === undefined ? [] : [request.headers.host]),
    ...(forwarded === '' ? [] : forwarded.split(',').map((host) => host.trim())),
  ];
}

const HEADER = 'x-forwarded-for';
/** Matches IP addresses with a port, such as `203.0.113.7:4711` and `[2001:db8::7]:4711`, which some proxies send. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/**
 * Removes ports from forwarded client addresses. Otherwise, the limits per address would treat each connection as
 * another client.
 */
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
