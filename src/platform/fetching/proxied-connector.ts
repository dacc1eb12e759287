import { isIP, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { buildConnector } from 'undici';

import type { FetchProxies } from '../config/fetch-proxy.js';
import { NotPublicError, ProxyError } from './fetch-errors.js';
import { forwardingProxyFor, proxyFor } from './proxy-rules.js';
import { connectToProxy, openTunnel } from './proxy-tunnel.js';
import { bareHost, isPublicHost } from './redirect-chain.js';

const LOOKUP_TIMEOUT_MS = 3000;
/** Includes the time in which the proxy connects to the target. */
const PROXY_TIMEOUT_MS = 5000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The proxies, their certificates, and the check of hosts that may be requested through them. */
interface ProxyAccess {
  readonly proxies: FetchProxies;
  /** PEM; the system's certificates if undefined. */
  readonly ca?: string | undefined;
  /** Throws NotPublicError if the host must not be requested. */
  readonly requireAllowed: (hostname: string) => Promise<void>;
}

/** Connects through the proxy of a URL, or with the given connector if the URL has none. */
export function proxiedConnector(
  direct: buildConnector.connector,
  overTunnel: buildConnector.connector,
  access: ProxyAccess,
): buildConnector.connector {
  return (options, callback) => {
    const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
    const proxy = proxyFor(url, access.proxies);
    if (proxy === undefined) {
      direct(options, callback);
      return;
    }
    connectThrough(proxy, url, access).then(
      (socket) => {
        if (url.protocol === 'https:') {
          overTunnel({ ...options, httpSocket: socket }, callback);
        } else {
          callback(null, socket);
        }
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new ProxyError('unknown'), null);
      },
    );
  };
}

async function connectThrough(
  proxy: URL,
  url: URL,
  { proxies, ca, requireAllowed }: ProxyAccess,
): Promise<Socket> {
  await requireAllowed(url.hostname);
  const options = { timeoutMs: PROXY_TIMEOUT_MS, ca };
  return forwardingProxyFor(url, proxies) === undefined
    ? openTunnel(proxy, { hostname: url.hostname, port: portOf(url) }, options)
    : connectToProxy(proxy, options);
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);

/** Name lookup and allowed addresses. */
interface AddressRules {
  readonly lookup: (hostname: string) => Promise<readonly string[]>;
  readonly allow: (address: string) => boolean;
}

/**
 * Rejects addresses that are not allowed, and names that have such an address. The proxy gets public names that have no
 * address here: behind a proxy, a machine often cannot resolve names of the internet (docs/decisions/0097).
 *
 * @throws NotPublicError
 */
export async function requireAllowedHost(
  hostname: string,
  { lookup, allow }: AddressRules,
): Promise<void> {
  const host = bareHost(hostname);
  const addresses = isIP(host) === 0 ? await addressesOf(host, lookup) : [host];
  const isAllowed = addresses.length === 0 ? isPublicHost(host) : addresses.every(allow);
  if (!isAllowed) {
    throw new NotPublicError();
  }
}

/** Returns the addresses of a name. Empty if it does not resolve in time. */
async function addressesOf(
  host: string,
  lookup: AddressRules['lookup'],
): Promise<readonly string[]> {
  const timeout = new AbortController();
  try {
    return await Promise.race([
      lookup(host).catch((): readonly string[] => []),
      pause(LOOKUP_TIMEOUT_MS, [], { signal: timeout.signal }),
    ]);
  } finally {
    timeout.abort();
  }
}
