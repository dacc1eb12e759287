import { isIP } from 'node:net';

import { type RefusalReason } from './fetch-outcome.js';
import { type FetchSettings } from './fetch-settings.js';

const MAX_LENGTH = 4096;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const WEB_PORTS = new Set(Object.values(DEFAULT_PORTS));
/** Names that mean a machine or a network nearby (RFC 6761, 6762, 7686, 8375, ICANN's .internal). */
const NEARBY = /\.(?:localhost|local|localdomain|internal|home\.arpa|onion)$/;

/**
 * Where one request may go: without user information, the host without its final dot. A redirect that has user
 * information is refused: it is made to deceive a reader, or carries credentials of somebody.
 */
export function hopAddress(
  text: string,
  base: URL | undefined,
  settings: Pick<FetchSettings, 'ports' | 'allowsNearbyNames' | 'ownUrl'>,
): URL | RefusalReason {
  const given = parsed(text, base);
  if (given === undefined) {
    return 'url';
  }
  if (base !== undefined && (given.username !== '' || given.password !== '')) {
    return 'userinfo';
  }
  const url = plain(given);
  return url.href.length > MAX_LENGTH ? 'url' : (refusalOf(url, settings) ?? url);
}

function refusalOf(
  url: URL,
  {
    ports,
    allowsNearbyNames,
    ownUrl,
  }: Pick<FetchSettings, 'ports' | 'allowsNearbyNames' | 'ownUrl'>,
): RefusalReason | undefined {
  if (DEFAULT_PORTS[url.protocol] === undefined) {
    return 'scheme';
  }
  if (!ports.has(portOf(url))) {
    return 'port';
  }
  const isHost = allowsNearbyNames ? isName(url.hostname) : isHostOfTheInternet(url.hostname);
  if (!isHost) {
    return 'host';
  }
  return ownUrl !== undefined && isSameSite(url, plain(ownUrl)) ? 'own' : undefined;
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);

/** A service that is reached by https is behind http as well, if only to redirect. */
const isSameSite = (one: URL, other: URL): boolean =>
  one.hostname === other.hostname &&
  (portOf(one) === portOf(other) || [one, other].every((url) => WEB_PORTS.has(portOf(url))));

function parsed(text: string, base: URL | undefined): URL | undefined {
  return text.length > MAX_LENGTH || !URL.canParse(text, base?.href)
    ? undefined
    : new URL(text, base);
}

function plain(given: URL): URL {
  const url = new URL(given);
  url.username = '';
  url.password = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  return url;
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
