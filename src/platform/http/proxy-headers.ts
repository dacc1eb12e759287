import type { Request, RequestHandler } from 'express';

import type { Warnings } from '../common/warnings.js';
import type { Config } from '../config/config.js';

const HEADER = 'x-forwarded-proto';
/** Health checks come from this machine, past the proxy. */
const PATHS_PAST_THE_PROXY = new Set(['/health', '/ready']);

type Trusts = (address: string, hop: number) => boolean;

/** True if the peer of the connection is a proxy of TRUST_PROXY. Ignores for whom the peer says it speaks. */
export function isFromProxy({ app, socket: { remoteAddress } }: Request): boolean {
  const trusts: unknown = app.get('trust proxy fn');
  return remoteAddress !== undefined && isTrust(trusts) && trusts(remoteAddress, 0);
}

const isTrust = (value: unknown): value is Trusts => typeof value === 'function';

/** Warns if PUBLIC_URL is https and the proxy does not say that people reach it by https: logins do not work then. */
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
