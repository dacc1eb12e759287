import type { Request, RequestHandler } from 'express';

import type { Warnings } from '../common/warnings.js';
import type { Config } from '../config/config.js';

const HEADER = 'x-forwarded-proto';
/** The paths of health checks, which come from this machine and bypass the proxy. */
const PATHS_PAST_THE_PROXY = new Set(['/health', '/ready']);

type Trusts = (address: string, hop: number) => boolean;

/**
 * Returns true if the request comes directly from a proxy that TRUST_PROXY lists. Ignores the client address in
 * forwarded headers.
 */
export function isFromProxy({ app, socket: { remoteAddress } }: Request): boolean {
  const trusts: unknown = app.get('trust proxy fn');
  return remoteAddress !== undefined && isTrust(trusts) && trusts(remoteAddress, 0);
}

const isTrust = (value: unknown): value is Trusts => typeof value === 'function';

/** Logs a warning if PUBLIC_URL is https, but no trusted proxy reports that the client used https. Logins then fail. */
export function checkForwardedProtocol(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  warnings: Warnings,
): RequestHandler {
  return (request, _response, next) => {
    const isExpected = publicUrl?.protocol === 'https:' && !PATHS_PAST_THE_PROXY.has(request.path);
    if (isExpected && !request.secure) {
      const [key, problem] = problemOf(request);
      warnings.once(
        `${HEADER} ${key}`,
        `X-Forwarded-Proto: ${problem}, and PUBLIC_URL is https. Session cookies are sent only with X-Forwarded-Proto: https from a proxy of TRUST_PROXY`,
      );
    }
    next();
  };
}

function problemOf(request: Request): [key: string, text: string] {
  const peer = request.socket.remoteAddress ?? 'unknown';
  if (request.headers[HEADER] === undefined) {
    return ['missing', `the proxy ${peer} does not send it`];
  }
  return isFromProxy(request)
    ? ['http', `the proxy ${peer} sends another protocol than https`]
    : ['untrusted', `it comes from ${peer}, which TRUST_PROXY does not list`];
}
