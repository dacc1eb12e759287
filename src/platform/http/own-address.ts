import { isIPv4 } from 'node:net';

import type { Request } from 'express';

import { isLocalName } from '../../lib/util/local-name.js';
import { parsedUrl } from '../../lib/util/parsed-url.js';
import { isLoopback, isOnlyForThisMachine, type Reach } from '../config/registration-mode.js';

/**
 * Matches valid values of a `Host` header, also with underscores, which names in local networks may contain. Other values
 * are never repeated in a response, and a URL parser could find the host in another place.
 */
const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** The maximum length of a host: a name of 253 characters, a final dot, a colon and a port. */
const MAX_HOST_LENGTH = 260;

/** The host in the headers of a request. A request of HTTP/1.0 may have none. */
interface HostOfRequest {
  readonly host: string | undefined;
}

/**
 * Returns the configured address of the service, without a trailing slash. If none is configured, returns the address
 * that the client requested, or an empty string if this address is missing or invalid.
 */
export function ownAddress(
  { protocol, host }: Pick<Request, 'protocol'> & HostOfRequest,
  publicUrl: URL | undefined,
): string {
  if (publicUrl !== undefined) {
    return addressIn(publicUrl);
  }
  const called = `${protocol}://${host}`;
  return host !== undefined && isHost(host) && parsedUrl(called) !== undefined ? called : '';
}

const isHost = (host: string): boolean => host.length <= MAX_HOST_LENGTH && HOST.test(host);

/** Returns the text of an address without a trailing slash, so that a path can be appended. */
export const addressIn = ({ origin, pathname }: URL): string =>
  `${origin}${pathname}`.replace(/(?<!\/)\/+$/, '');

/** Matches names in domains that the public DNS never contains (RFC 6761). */
const RESERVED_NAME = /\.(?:test|example|invalid)$/;

/**
 * Returns true if the host in a request cannot be the host of a stranger's website. A stranger can point a domain to the
 * address of this service, but cannot own an IP address literal, a name without a dot, a name in a private domain, or a
 * name from HOST or PUBLIC_URL. If only this machine can reach the service, names of the local network are unknown too,
 * because the DNS server of any network, such as a public Wi-Fi, could point them to this machine (docs/decisions/0146).
 */
export function isKnownHost(host: string, reach: Reach): boolean {
  const name = nameOf(host);
  return (
    name !== undefined &&
    (isAddress(name) || isLoopback(name) || isOwnName(name, reach) || isNameInNetwork(name, reach))
  );
}

/** Returns true for the host names of Pocket, which programs for Pocket open if their host is compiled in. */
export const isHostOfPocket = (host: string): boolean =>
  /^(?:\w+\.)?getpocket\.com$/.test(nameOf(host) ?? '');

const nameOf = (host: string): string | undefined =>
  isHost(host) ? nameIn(`http://${host}`) : undefined;

const isAddress = (name: string): boolean => isIPv4(name) || name.startsWith('[');

const isOwnName = (name: string, { host, publicUrl }: Reach): boolean =>
  [publicUrl?.href, `http://${host}`].some((own) => nameIn(own) === name);

const isNameInNetwork = (name: string, reach: Reach): boolean =>
  (!name.includes('.') || isLocalName(name) || RESERVED_NAME.test(name)) &&
  !isOnlyForThisMachine(reach);

/** Returns the host name in a URL in lower case, without a port and a final dot. IPv6 addresses have brackets. */
const nameIn = (url = ''): string | undefined => parsedUrl(url)?.hostname.replace(/\.$/, '');
