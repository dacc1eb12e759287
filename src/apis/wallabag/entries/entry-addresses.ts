import { hash } from 'node:crypto';

import { percentDecoded } from '../../../lib/extraction/plain-text.js';
import { parsedUrl } from '../../../lib/util/parsed-url.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { hostOf, hrefOf, withRoute } from '../../../reading-list/list/address.js';

type Addresses = Pick<ItemRow, 'given_url' | 'resolved_url'>;

const WITH_SCHEME = /^https?:\/\//i;

/** Returns the URL after redirects. If the page is not fetched yet, returns the saved URL and adds a missing scheme. */
export const urlOf = ({ given_url: given, resolved_url: resolved }: Addresses): string =>
  withRoute(resolved, given) || (WITH_SCHEME.test(given) ? given : (hrefOf(given) ?? given));

/** Returns a name for an item without a title: the last part of the URL's path, or the host of the URL. */
export function nameOf(row: Addresses): string {
  const url = urlOf(row);
  const parts = parsedUrl(url)?.pathname.split('/') ?? [];
  const last = parts.findLast((part) => part !== '') ?? '';
  return percentDecoded(last).trim() || (hostOf(url) ?? url);
}

/** Returns the SHA-1 hash, which has 20 bytes. */
export const sha1 = (bytes: Buffer | string): Buffer => hash('sha1', bytes, 'buffer');

/**
 * Decodes a URL as PHP does, and returns the hash of the decoded URL. Clients compute the same hash
 * themselves to find an entry by its URL.
 */
export const hashedUrl = (url: string): string => sha1(urlDecoded(url)).toString('hex');

/**
 * Returns the bytes of a URL with `%xx` and `+` decoded, as PHP's `urldecode` does. Other characters stay unchanged.
 */
export function urlDecoded(url: string): Buffer {
  const bytes = Buffer.from(url);
  return /[%+]/.test(url)
    ? Buffer.from(bytes.toString('latin1').replaceAll(ENCODED, decoded), 'latin1')
    : bytes;
}

const ENCODED = /\+|%([\da-f]{2})/gi;
const HEX = 16;

const decoded = (_: string, digits: string | undefined): string =>
  digits === undefined ? ' ' : String.fromCodePoint(Number.parseInt(digits, HEX));
