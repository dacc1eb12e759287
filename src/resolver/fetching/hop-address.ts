import { isIP } from 'node:net';

import { type RefusalReason } from './fetch-outcome.js';

const MAX_LENGTH = 4096;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** Names that mean a machine or a network nearby (RFC 6761, 6762, 7686, 8375, ICANN's .internal). */
const NEARBY = /\.(?:localhost|local|localdomain|internal|home\.arpa|onion)$/;

/** Where one request may go: without user information, the host without its final dot. */
export function hopAddress(
  text: string,
  base: URL | undefined,
  ports: ReadonlySet<number>,
): URL | RefusalReason {
  const url = parsed(text, base);
  if (url === undefined) {
    return 'url';
  }
  const defaultPort = DEFAULT_PORTS[url.protocol];
  if (defaultPort === undefined) {
    return 'scheme';
  }
  if (!ports.has(url.port === '' ? defaultPort : Number(url.port))) {
    return 'port';
  }
  return isHostOfTheInternet(url.hostname) ? url : 'host';
}

function parsed(text: string, base: URL | undefined): URL | undefined {
  if (text.length > MAX_LENGTH || !URL.canParse(text, base?.href)) {
    return undefined;
  }
  const url = new URL(text, base);
  url.username = '';
  url.password = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href.length > MAX_LENGTH ? undefined : url;
}

function isHostOfTheInternet(host: string): boolean {
  if (isIP(bareHost(host)) !== 0) {
    return true;
  }
  const labels = host.split('.');
  return labels.length > 1 && !labels.includes('') && !NEARBY.test(host);
}

/** An IPv6 address without its brackets; other hosts as they are. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '');
