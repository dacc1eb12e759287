import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

import type { Agent, buildConnector } from 'undici';

import type { FetchProxies } from '../config/fetch-proxy.js';
import { contained } from './contained-socket.js';
import { codeOf, NameNotResolvedError, NotPublicError, type ProxyError } from './fetch-errors.js';
import { proxiedConnector, requireAllowedHost } from './proxied-connector.js';
import { bareHost } from './redirect-chain.js';

const CONNECT_TIMEOUT_MS = 3000;
const HEADERS_TIMEOUT_MS = 6000;
/** The time limit between two chunks of a response body. */
const BODY_TIMEOUT_MS = 4000;
const MAX_HEADER_BYTES = 16_384;
/** The maximum number of addresses that are tried for one host. */
const MAX_ADDRESSES = 8;

const DNS_LIMITS = { timeout: 1500, tries: 2 };

/** Returns all IP addresses of a host name. Rejects with the code of the DNS error. */
type Lookup = (hostname: string) => Promise<readonly string[]>;

/** The network access of an agent. Tests replace the DNS lookup and the check of IP addresses. */
export interface Network {
  readonly lookup: Lookup;
  readonly allow: (address: string) => boolean;
  /** The CA certificates in PEM format. If undefined, the system's certificates are used. */
  readonly certificateAuthorities?: string;
  /** The proxies that FETCH_PROXY sets. Undefined for direct connections. */
  readonly proxies?: FetchProxies | undefined;
  /** Receives each error of a proxy, to log it. */
  readonly reportProxyError?: (error: ProxyError) => void;
}

/**
 * Returns an undici agent that connects only to allowed addresses. The agent checks an IP address
 * in a URL before connecting, the addresses of a host name after the DNS lookup, and the remote
 * address of every socket. The agent reuses no connections and stores no cookies. The agent uses
 * the proxies of `network`, and ignores proxy variables of the environment. The first call of this
 * function loads undici, which takes 4 MB of memory.
 */
export async function guardedAgent(network: Network): Promise<Agent> {
  const library = await import('undici');
  const { certificateAuthorities: ca } = network;
  const tls = {
    timeout: CONNECT_TIMEOUT_MS,
    maxCachedSessions: 0,
    ...(ca !== undefined && { ca }),
  };
  const direct = guarded(
    library.buildConnector({ ...tls, lookup: guardedLookup(network) }),
    network.allow,
  );
  return new library.Agent({
    pipelining: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: BODY_TIMEOUT_MS,
    connect: contained(throughProxies(direct, library.buildConnector(tls), network)),
  });
}

function throughProxies(
  direct: buildConnector.connector,
  overTunnel: buildConnector.connector,
  { proxies, certificateAuthorities, ...rules }: Network,
): buildConnector.connector {
  return proxies === undefined
    ? direct
    : proxiedConnector(direct, overTunnel, {
        proxies,
        ca: certificateAuthorities,
        requireAllowed: (hostname) => requireAllowedHost(hostname, rules),
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

/**
 * Returns a DNS lookup that rejects a host name if any of its addresses is not allowed. A host on
 * the public internet has only public addresses.
 */
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

/**
 * Returns a lookup that asks only the system's name servers. It does not read /etc/hosts, because the host names in
 * this file are not public. Unlike getaddrinfo, the lookup blocks no thread, so a silent name server does not delay
 * other lookups.
 */
export function dnsLookup(servers?: readonly string[]): Lookup {
  return async (hostname) => {
    const resolver = new Resolver(DNS_LIMITS);
    if (servers !== undefined) {
      resolver.setServers(servers);
    }
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    return addresses.length > 0 ? addresses : await withoutAnswer(hostname, answers);
  };
}

/** Uses the operating system's resolver if no name server is reachable, as on some phones and in some sandboxes. */
async function withoutAnswer(
  hostname: string,
  answers: readonly PromiseSettledResult<string[]>[],
): Promise<readonly string[]> {
  const errors = answers.flatMap((answer): unknown[] =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  if (errors.length > 0 && errors.every((error) => codeOf(error) === 'ECONNREFUSED')) {
    const found = await systemLookup(hostname, { all: true });
    return found.map(({ address }) => address);
  }
  // Throws a temporary error if there is one, because the failed name server may answer the next lookup.
  throw errors.find((error) => !isFinal(error)) ?? errors[0];
}

/** Returns true if the DNS error means that the name does not exist or has no address. */
const isFinal = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA', 'EAI_NONAME', 'EBADNAME'].includes(codeOf(error));
