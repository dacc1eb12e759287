import { isIP } from 'node:net';

import { isPublicAddress } from '../../../platform/fetching/public-address.js';
import { hostOf, normalAddress, withRoute } from '../../../reading-list/list/address.js';

/** The address of a page as visitors see it. */
interface PublicLink {
  readonly originalHref: string;
  readonly site: string;
}

/**
 * Matches the names of hosts on private networks: names without a dot, and the domains of RFC 6761, RFC 6762, RFC 8375
 * and of common routers.
 */
const PRIVATE_NAME =
  /^[^.]*$|\.(?:local|localhost|localdomain|internal|intranet|private|lan|home|corp|test|invalid|home\.arpa)$/;

/** Matches the user name and the password in an address. */
const CREDENTIALS = /(?<=:\/\/)[^\s/?#]*@/g;

/** Removes user names and passwords from all addresses in a text. */
export const withoutCredentials = (text: string): string => text.replaceAll(CREDENTIALS, '');

/**
 * Returns the address of an item for visitors, without user name, password, tracking parameters and fragment. Returns
 * undefined for an address on a private network, because visitors cannot open it, and its host may be secret.
 */
export function publicLinkOf(givenUrl: string): PublicLink | undefined {
  const address = normalAddress(givenUrl);
  if (address === undefined || isPrivateHost(hostOf(address.pageUrl) ?? '')) {
    return undefined;
  }
  const originalHref = withoutCredentials(withRoute(address.pageUrl, givenUrl));
  return { originalHref, site: address.domain };
}

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? PRIVATE_NAME.test(host) : !isPublicAddress(host);
}
