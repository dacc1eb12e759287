import { isIP } from 'node:net';

import { type RefusalReason } from './fetch-outcome.js';
import { type FetchSettings } from './fetch-settings.js';

const MAX_LENGTH = 4096;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** Names that mean a machine or a network nearby (RFC 6761, 6762, 7686, 8375, ICANN's .internal). */
const NEARBY = /\.(?:localhost|local|localdomain|internal|home\.arpa|onion)$/;

/** Where one request may go: without user information, the host without its final dot. */
export function hopAddress(
  text: string,
  base: URL | undefined,
  { ports, allowsNearbyNames }: Pick<FetchSettings, 'ports' | 'allowsNearbyNames'>,
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
  const isHost = allowsNearbyNames ? isName(url.hostname) : isHostOfTheInternet(url.hostname);
  return isHost ? url : 'host';
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
  return host.includes('.') && isName(host) && !NEARBY.test(host);
}

const isName = (host: string): boolean => !host.split('.').includes('');

/** An IPv6 address without its brackets; other hosts as they are. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '');
