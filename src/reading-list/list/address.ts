import { hash } from 'node:crypto';

import { getDomain } from 'tldts';

import { parsedUrl } from '../../lib/util/parsed-url.js';
import { routeIn } from '../addresses/route.js';
import { withoutTracking } from '../addresses/tracking-parameters.js';
import { unwrapAddress } from '../addresses/wrapped-address.js';

const MAX_BYTES = 4096;
const MAX_KEY_LENGTH = 700;
/**
 * The smallest item id. Item ids are integers from 2^52 to 2^53 - 1, which JavaScript and all
 * clients represent exactly. JavaScript does not sort object keys that are so large.
 */
const FIRST_ID = 2 ** 52;
const LAST_ID = 2 ** 53 - 1;

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const WEB_SCHEME = /^https?$/i;
/**
 * Matches the start of an address without a scheme: a host with a dot, `localhost` or an IPv6 address, and an optional
 * port.
 */
const BARE_AUTHORITY = /^(?:localhost|\[[0-9a-f:.]+\]|[^.:@]+\.[^:@]+)(?::\d+)?$/i;

/**
 * The address of a saved page. Two spellings of an address belong to the same item if they have the same `normalUrl`
 * (docs/decisions/0016, 0095).
 */
export interface Address {
  /**
   * The address from the client, without surrounding spaces, tabs and line breaks. If the address contains another
   * address, as in a Pocket redirect, `givenUrl` is the inner address.
   */
  readonly givenUrl: string;
  /** The normalized address. It includes the fragment only if the fragment identifies a page of a web application. */
  readonly normalUrl: string;
  /**
   * The normalized address without its fragment. If the pages of a web application differ only in the fragment, they
   * have the same `documentUrl`, so their HTML document is fetched once.
   */
  readonly documentUrl: string;
  /** The URL to fetch. It has a scheme, but no user name, no password, no tracking parameters and no fragment. */
  readonly pageUrl: string;
  /**
   * The id of the item: a number that is computed from the hash of `normalUrl`, as decimal text. The id never changes,
   * and is the same for every user.
   */
  readonly itemId: string;
  /** The item ids that earlier versions of Satchel computed for this address (docs/decisions/0095). */
  readonly formerItemIds: readonly string[];
  /** The host in lower case and ASCII, without `www.`. */
  readonly domain: string;
  /**
   * The text by which items are sorted by site and filtered by domain: the domain, a slash, and the rest of the URL.
   */
  readonly urlKey: string;
}

/**
 * Parses an address. A missing scheme means http. Returns undefined if the text is not an http(s) URL of at most 4 KB.
 */
export function normalAddress(text: string): Address | undefined {
  const outerUrl = withoutBreaks(text);
  const givenUrl = unwrapAddress(outerUrl);
  const url = parsedGiven(givenUrl);
  const form = url && normalForm(url);
  if (url === undefined || form === undefined) {
    return undefined;
  }
  const { domain, rest, documentUrl } = form;
  const route = routeIn(url);
  const normalUrl = `${documentUrl}${route}`;
  const outerForm = givenUrl === outerUrl ? undefined : normalFormOf(outerUrl);
  return {
    givenUrl,
    normalUrl,
    documentUrl,
    pageUrl: `${url.protocol}//${url.host}${url.pathname}${withoutTracking(url.search)}`,
    itemId: itemIdOf(normalUrl),
    formerItemIds: [route === '' ? undefined : documentUrl, outerForm?.documentUrl]
      .filter((former) => former !== undefined)
      .map(itemIdOf),
    domain,
    urlKey: `${domain}/${`${rest}${route}`.replace(/^\//, '')}`.slice(0, MAX_KEY_LENGTH),
  };
}

interface NormalForm {
  readonly domain: string;
  /** The port, path and query of the address. */
  readonly rest: string;
  readonly documentUrl: string;
}

function normalForm(url: URL): NormalForm | undefined {
  const domain = domainOf(url.hostname);
  if (domain === '') {
    return undefined;
  }
  const port = url.port === '' ? '' : `:${url.port}`;
  const rest = `${port}${withoutTrailingSlashes(url.pathname)}${withoutTracking(url.search)}`;
  return { domain, rest, documentUrl: `http://${userInfoOf(url)}${domain}${rest}` };
}

function normalFormOf(text: string): NormalForm | undefined {
  const url = parsedGiven(text);
  return url && normalForm(url);
}

const parsedGiven = (text: string): URL | undefined =>
  Buffer.byteLength(text) > MAX_BYTES ? undefined : parsed(withScheme(text));

/** Returns the host of a URL. The scheme may be missing. Returns undefined if the text is not a URL. */
export const hostOf = (text: string): string | undefined => parsedAddress(text)?.hostname;

/** Returns the URL with a scheme and in ASCII, for use in a link. Returns undefined if the text is not a URL. */
export const hrefOf = (text: string): string | undefined => parsedAddress(text)?.href;

/**
 * Returns the URL of a document after redirects. If the fragment of the saved address identifies a page of a web
 * application, adds this fragment to the URL.
 */
export function withRoute(resolvedUrl: string, givenUrl: string): string {
  const url =
    resolvedUrl === '' || resolvedUrl.includes('#') || !givenUrl.includes('#')
      ? undefined
      : parsedAddress(givenUrl);
  return url === undefined ? resolvedUrl : `${resolvedUrl}${routeIn(url)}`;
}

const parsedAddress = (text: string): URL | undefined =>
  parsed(withScheme(unwrapAddress(withoutBreaks(text))));

/** Returns the item id after `id`. A new item gets this id if another URL of the list already has `id`. */
export const nextItemId = (id: string): string =>
  String(Number(id) === LAST_ID ? FIRST_ID : Number(id) + 1);

/**
 * Removes surrounding white space, and every tab and line break. URL parsers ignore tabs and line breaks, but other
 * software does not.
 */
const withoutBreaks = (text: string): string => text.trim().replaceAll(/[\t\n\r]/g, '');

/**
 * Adds a missing scheme to an address. The text before the colon is a host in `example.com:8080/x`, but a scheme in
 * `tel:555`.
 */
function withScheme(text: string): string | undefined {
  const scheme = SCHEME.exec(text)?.[1];
  if (scheme !== undefined && WEB_SCHEME.test(scheme)) {
    return text;
  }
  const bare = text.replace(/^\/\//, '');
  const [authority = ''] = bare.split(/[/?#\\]/, 1);
  return BARE_AUTHORITY.test(authority) ? `http://${bare}` : undefined;
}

const parsed = (text: string | undefined): URL | undefined =>
  text === undefined ? undefined : parsedUrl(text);

/** Removes a final dot and `www.` from a host. Does not change `www.com`, where `www` is not a subdomain. */
const domainOf = (hostname: string): string =>
  hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '');

const userInfoOf = ({ username, password }: URL): string =>
  username === '' && password === '' ? '' : `${username}:${password}@`;

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') {
    end -= 1;
  }
  return path.slice(0, end);
}

/** Returns the id of an item: 2^52 plus the first 52 bits of the hash of its normalized URL. */
function itemIdOf(normalUrl: string): string {
  const digest = hash('sha256', normalUrl, 'buffer');
  return String(FIRST_ID + digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >> 4));
}

/**
 * Returns the canonical domain, as in `Address.domain`, for a host as users write it. Returns undefined if the text is
 * not a host.
 */
export const canonicalDomain = (text: string): string | undefined =>
  normalAddress(
    `http://${text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^\./, '')}`,
  )?.domain;

/**
 * Returns an id that is the same for all URLs of a site, as decimal text. The site is the registrable domain of the
 * URL, or its host if there is no registrable domain. Returns "0" if the text is not a URL.
 */
export function domainIdOf(url: string): string {
  const domain = getDomain(url) ?? parsedUrl(url)?.hostname ?? '';
  return domain === '' ? '0' : String(hash('sha256', domain, 'buffer').readUInt32BE(0) + 1);
}

/**
 * Matches a URL that needs no normalization except for its scheme, `www.` and final slashes. Does not match a host with
 * a label that begins with `xn--`, because such a label may be invalid.
 */
const PLAIN =
  /^https?:\/\/(?:www\.)?((?:(?!xn--)[a-z0-9-]+\.)+(?!xn--)[a-z][a-z0-9-]*(?:\/[\w~-][\w.~-]*)*)\/*$/;

/**
 * Returns true if both texts are addresses of the same document. Differences in spelling and fragment are ignored.
 * Simple addresses are compared as text, because this is 50 times faster than normalizing them.
 */
export function isSameDocument(one: string, other: string): boolean {
  if (one === other) {
    return true;
  }
  const plain = [one, other].map((url) => PLAIN.exec(url)?.[1]);
  const [first, second] = plain.includes(undefined)
    ? [one, other].map((url) => normalFormOf(unwrapAddress(withoutBreaks(url)))?.documentUrl)
    : plain;
  return first !== undefined && first === second;
}
