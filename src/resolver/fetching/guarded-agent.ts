import { isIP, type LookupFunction } from 'node:net';

import { Agent, buildConnector } from 'undici';

import { isFinal, type Lookup } from './dns-lookup.js';
import { NameNotResolvedError, NotPublicError } from './fetch.errors.js';
import { bareHost } from './hop-address.js';

const CONNECT_TIMEOUT_MS = 3000;
const HEADERS_TIMEOUT_MS = 6000;
/** Between two parts of a body. */
const BODY_TIMEOUT_MS = 4000;
const MAX_HEADER_BYTES = 16_384;
/** As many as are tried; a name with a thousand has no more. */
const MAX_ADDRESSES = 8;

/** What lies between the fetcher and the world; tests put their own in its place. */
export interface Network {
  readonly lookup: Lookup;
  readonly allow: (address: string) => boolean;
  /** PEM; the system's own when undefined. */
  readonly certificateAuthorities?: string;
}

/**
 * Connects to allowed addresses only: literals are checked before, names when they are looked up, and every socket by the
 * address it reached. Uses no proxy, keeps no connection, knows no cookie.
 */
export function guardedAgent(network: Network): Agent {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(network),
    maxCachedSessions: 0,
    ...(network.certificateAuthorities !== undefined && { ca: network.certificateAuthorities }),
  });
  return new Agent({
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
    connect: guarded(connect, network.allow),
  });
}

function guarded(
  connect: buildConnector.connector,
  allow: Network['allow'],
): buildConnector.connector {
  return (options, callback) => {
    const host = bareHost(options.hostname);
    if (isIP(host) !== 0 && !allow(host)) {
      callback(new NotPublicError(), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      if (allow(socket.remoteAddress ?? '')) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(new NotPublicError(), null);
    });
  };
}

/** One address that is not allowed spoils the name: a name of the internet has none. */
function guardedLookup({ lookup, allow }: Network): LookupFunction {
  const addressesOf = async (hostname: string): Promise<readonly string[]> => {
    const addresses = await lookup(hostname).catch((error: unknown) => {
      throw new NameNotResolvedError(!isFinal(error), error);
    });
    if (addresses.length === 0) {
      throw new NameNotResolvedError(false);
    }
    if (!addresses.every((address) => allow(address))) {
      throw new NotPublicError();
    }
    return addresses.slice(0, MAX_ADDRESSES);
  };
  return (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        callback(null, all === true ? found : (found[0]?.address ?? ''), found[0]?.family);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new NameNotResolvedError(true), '');
      },
    );
  };
}
