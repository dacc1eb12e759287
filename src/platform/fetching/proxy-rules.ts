import ipaddr from 'ipaddr.js';

import type { FetchProxies } from '../config/fetch-proxy.js';
import { bareHost } from './redirect-chain.js';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Returns the proxy for a request, or undefined for a direct connection. */
export function proxyFor(url: URL, proxies: FetchProxies | undefined): URL | undefined {
  if (proxies?.exceptions.some((exception) => matchesException(url, exception)) !== false) {
    return undefined;
  }
  return url.protocol === 'https:' ? proxies.https : proxies.http;
}

/**
 * Returns the proxy that gets the request itself, with the whole URL in the request line. Such requests are needed
 * because proxies often reject tunnels to port 80. Undefined for tunnels and direct connections.
 */
export function forwardingProxyFor(url: URL, proxies: FetchProxies | undefined): URL | undefined {
  const proxy = proxyFor(url, proxies);
  return url.protocol === 'http:' && proxy?.protocol.startsWith('http') === true
    ? proxy
    : undefined;
}

/** Returns the value of Proxy-Authorization, or undefined for a proxy without credentials. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  const credentials = [username, password].map(decodeURIComponent).join(':');
  return credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/**
 * Returns true if an entry of NO_PROXY matches the URL. NO_PROXY has no standard. The function accepts `*`, networks
 * (CIDR), addresses, and hosts with their subdomains. An address or a host may have a port.
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

/** Puts a bare IPv6 address in brackets, so that the last group of the address is not parsed as a port. */
const withoutIPv6Port = (text: string): string => (ipaddr.IPv6.isValid(text) ? `[${text}]` : text);

function isInNetwork(host: string, network: string): boolean {
  if (!ipaddr.isValid(host) || !ipaddr.isValidCIDR(network)) {
    return false;
  }
  const address = ipaddr.process(host);
  const [subnet, bits] = ipaddr.parseCIDR(network);
  return address.kind() === subnet.kind() && address.match(subnet, bits);
}
