import { hash } from 'node:crypto';

import { percentDecoded } from '../../../lib/extraction/plain-text.js';
import { parsedUrl } from '../../../lib/util/parsed-url.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { hostOf, hrefOf, withRoute } from '../../../reading-list/list/address.js';

type Addresses = Pick<ItemRow, 'given_url' | 'resolved_url'>;

const WITH_SCHEME = /^https?:\/\//i;

/** Where the page was found, else where it was saved: with a scheme. */
export const urlOf = ({ given_url: given, resolved_url: resolved }: Addresses): string =>
  withRoute(resolved, given) || (WITH_SCHEME.test(given) ? given : (hrefOf(given) ?? given));

/** What stands for a title that is not known: the last part of the path, else the host. */
export function nameOf(row: Addresses): string {
  const url = urlOf(row);
  const parts = parsedUrl(url)?.pathname.split('/') ?? [];
  const last = parts.findLast((part) => part !== '') ?? '';
  return percentDecoded(last).trim() || (hostOf(url) ?? url);
}

/** A hash as clients make it of a URL, or the server of a decoded one: 20 bytes. */
export const sha1 = (bytes: Buffer | string): Buffer => hash('sha1', bytes, 'buffer');

/** Of the URL as PHP decodes it; clients compare it with their own. */
export const hashedUrl = (url: string): string => sha1(urlDecoded(url)).toString('hex');

/** The bytes of a URL with `%xx` and `+` decoded; what is no such sequence stays. */
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
