import { randomBytes } from 'node:crypto';

import { ListAddressError, ListAddressReservedError } from './public-list.errors.js';

/** The length in bytes of a random address. 16 bytes are 128 random bits. */
const RANDOM_BYTES = 16;
const SHAPE = /^[a-z\d-]{3,60}$/;

/** Addresses that could be mistaken for a page of the service, or that Satchel may need for a page itself. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['about', 'account', 'admin', 'administrator', 'all', 'api', 'archive', 'atom', 'auth'],
  ...['create', 'delete', 'edit', 'favorites', 'feed', 'feeds', 'help', 'home', 'index', 'json'],
  ...['list', 'lists', 'login', 'logout', 'new', 'official', 'pages', 'popular', 'public'],
  ...['read', 'register', 'robots', 'root', 'rss', 'satchel', 'save', 'search', 'security'],
  ...['settings', 'shared', 'sitemap', 'support', 'system', 'tags', 'undefined', 'null', 'user'],
  ...['users', 'welcome'],
]);

/** Returns an address that cannot be guessed. */
export const randomAddress = (): string => randomBytes(RANDOM_BYTES).toString('hex');

/**
 * Returns an address that a user has typed, in lower case.
 * @throws ListAddressError or ListAddressReservedError if the user cannot choose the address
 */
export function chosenAddress(text: string): string {
  const address = text.trim().toLowerCase();
  if (!SHAPE.test(address)) {
    throw new ListAddressError();
  }
  if (RESERVED.has(address)) {
    throw new ListAddressReservedError();
  }
  return address;
}

/** Returns the stored form of an address from a request, or undefined if no list can have it. */
export function storedAddress(text: string): string | undefined {
  const address = text.toLowerCase();
  return SHAPE.test(address) ? address : undefined;
}
