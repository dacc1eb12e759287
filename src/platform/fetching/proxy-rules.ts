import ipaddr from 'ipaddr.js';

import type { FetchProxies } from '../config/fetch-proxy.js';
import { bareHost } from './redirect-chain.js';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Returns the proxy for requests to a URL, or undefined for a direct connection. */
export function proxyFor(url: URL, proxies: FetchProxies | undefined): URL | undefined {
  if (proxies?.exceptions.some((exception) => matchesException(url, exception)) !== false) {
    return undefined;
  }
  return url.protocol === 'https:' ? proxies.https : proxies.http;
}

/**
 * Returns the HTTP proxy that forwards requests for an http URL, with the whole URL in the request
 * line. Such requests use no tunnel, because proxies often reject tunnels to port 80. Returns
 * undefined if the request uses a direct connection or a tunnel.
 */
export function forwardingProxyFor(url: URL, proxies: FetchProxies | undefined): URL | undefined {
  const proxy = proxyFor(url, proxies);
  return url.protocol === 'http:' && proxy?.protocol.startsWith('http') === true
    ? proxy
    : undefined;
}

/** Returns the value of the Proxy-Authorization header, or undefined for a proxy without credentials. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  const credentials = [username, password].map(decodeURIComponent).join(':');
  return credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/**
 * Returns true if an entry of NO_PROXY matches the URL. An entry can be `*`, a network in CIDR notation, an IP address,
 * or a host with its subdomains. An IP address or a host may be followed by a port. No standard defines the notation of
 * NO_PROXY.
 */
function matchesException(url: URL, exception: string): boolean {
  const host = bareHost(url.hostname);
  if (exception === '*' || exception.includes('/')) {
    return exception === '*' || isInNetwork(host, exception);
  }
  const [, name = '', port = portOf(url)] =
    /^(.*?)(?::(\d+))?$/.exec(withoutIPv6Port(exception)) ?? [];
  return port === portOf(url) && isOrBelow(host, bareHost(name.toLowerCase()));
}

const portOf = ({ port, protocol }: URL): string | undefined =>
  port === '' ? DEFAULT_PORTS[protocol] : port;

function isOrBelow(host: string, name: string): boolean {
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** Puts an IPv6 address in brackets. Without brackets, the last group of the address would be parsed as a port. */
const withoutIPv6Port = (text: string): string => (ipaddr.IPv6.isValid(text) ? `[${text}]` : text);

function isInNetwork(host: string, network: string): boolean {
  if (!ipaddr.isValid(host) || !ipaddr.isValidCIDR(network)) {
    return false;
  }
  const address = ipaddr.process(host);
  const [subnet, bits] = ipaddr.parseCIDR(network);
  return address.kind() === subnet.kind() && address.match(subnet, bits);
}
