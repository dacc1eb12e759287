import { isIP, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { buildConnector } from 'undici';

import type { FetchProxies } from '../config/fetch-proxy.js';
import { NotPublicError, ProxyError } from './fetch-errors.js';
import { forwardingProxyFor, proxyFor } from './proxy-rules.js';
import { connectToProxy, openTunnel } from './proxy-tunnel.js';
import { bareHost, isPublicHost } from './redirect-chain.js';

const LOOKUP_TIMEOUT_MS = 3000;
/**
 * The timeout in milliseconds for the connection to a proxy, and again for the connection from the proxy to the host.
 */
const PROXY_TIMEOUT_MS = 5000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The configured proxies, and a check whether a proxy may connect to a host. */
interface ProxyAccess {
  readonly proxies: FetchProxies;
  /** The CA certificates in PEM format. If undefined, the system's certificates are used. */
  readonly ca?: string | undefined;
  /** @throws NotPublicError if the host must not be requested */
  readonly requireAllowed: (hostname: string) => Promise<void>;
}

/**
 * Returns a function that opens a connection for a URL. It connects through the proxy for the URL, or with `direct` if
 * there is no proxy for the URL.
 */
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

/** The DNS lookup, and the check that an address is allowed. */
interface AddressRules {
  readonly lookup: (hostname: string) => Promise<readonly string[]>;
  readonly allow: (address: string) => boolean;
}

/**
 * Rejects a host if one of its addresses is not allowed. If this machine cannot look up the host, accepts the host if
 * its name is public. A machine behind a proxy often cannot look up public names (docs/decisions/0097), but the proxy
 * can.
 *
 * @throws NotPublicError if the host is rejected
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

/** Returns the addresses of a host name. Returns an empty list if the lookup fails or takes too long. */
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
