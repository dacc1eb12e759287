import { isIP, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { buildConnector } from 'undici';

import type { FetchProxies } from '../config/fetch-proxy.js';
import { NotPublicError, ProxyError } from './fetch-errors.js';
import { forwardingProxyFor, proxyFor } from './proxy-rules.js';
import { connectToProxy, openTunnel } from './proxy-tunnel.js';
import { bareHost, isPublicHost } from './redirect-chain.js';

const LOOKUP_TIMEOUT_MS = 3000;
/** The timeout of a connection through a proxy, including the connection from the proxy to the target. */
const PROXY_TIMEOUT_MS = 5000;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The proxies, their certificates, and the check of the hosts that a proxy may connect to. */
interface ProxyAccess {
  readonly proxies: FetchProxies;
  /** The CA certificates in PEM format. If undefined, the certificates of the system apply. */
  readonly ca?: string | undefined;
  /** Throws NotPublicError if the host must not be requested. */
  readonly requireAllowed: (hostname: string) => Promise<void>;
}

/** Connects through the proxy for a URL, or with the given connector if the URL has no proxy. */
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

/** The name lookup, and the check whether an address is allowed. */
interface AddressRules {
  readonly lookup: (hostname: string) => Promise<readonly string[]>;
  readonly allow: (address: string) => boolean;
}

/**
 * Rejects an address that is not allowed, and a name that has such an address. Allows public names that this machine
 * cannot resolve, because a machine behind a proxy often cannot resolve names of the internet (docs/decisions/0097).
 * The proxy resolves such a name.
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

/** Returns the addresses of a name. Returns an empty list if the name does not resolve in time. */
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
