import { hash } from 'node:crypto';

import { getDomain } from 'tldts';

import { parsedUrl } from '../../lib/util/parsed-url.js';
import { routeIn } from '../addresses/route.js';
import { withoutTracking } from '../addresses/tracking-parameters.js';
import { unwrapAddress } from '../addresses/wrapped-address.js';

const MAX_BYTES = 4096;
const MAX_KEY_LENGTH = 700;
/**
 * Item ids are between 2^52 and 2^53: exact as numbers in every client, and above the object keys that JavaScript
 * reorders.
 */
const FIRST_ID = 2 ** 52;
const LAST_ID = 2 ** 53 - 1;

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const WEB_SCHEME = /^https?$/i;
/**
 * The start of an address without a scheme: a host with a dot, `localhost` or an IPv6 address, and an optional port.
 */
const BARE_AUTHORITY = /^(?:localhost|\[[0-9a-f:.]+\]|[^.:@]+\.[^:@]+)(?::\d+)?$/i;

/** The address of a saved page. Two spellings with one `normalUrl` are one item (docs/decisions/0016, 0096). */
export interface Address {
  /** As the client sent it, but unwrapped and trimmed, without tabs and line breaks. */
  readonly givenUrl: string;
  /** The normal form, including the route. */
  readonly normalUrl: string;
  /** `normalUrl` without the route: all routes of an application are one document, which is fetched once. */
  readonly documentUrl: string;
  /** The URL to fetch. It has a scheme, and no parts that identify the user who saved it. */
  readonly pageUrl: string;
  /** Decimal text: a hash of `normalUrl`. It never changes, and is the same for every user. */
  readonly itemId: string;
  /** Ids that the same text had before docs/decisions/0095. */
  readonly formerItemIds: readonly string[];
  /** The host without `www.`, in lower case and ASCII. */
  readonly domain: string;
  /** The key for sorting by site and filtering by domain: the domain, a slash, and the rest of the URL. */
  readonly urlKey: string;
}

/** Returns undefined for a text that is not an http(s) URL of at most 4 KB; a missing scheme means http. */
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
  /** Port, path and query. */
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

/** Returns the host of a URL, which may lack a scheme; undefined if the text is not a URL. */
export const hostOf = (text: string): string | undefined => parsedAddress(text)?.hostname;

/** Returns the URL as a link, with a scheme and in ASCII; undefined if the text is not a URL. */
export const hrefOf = (text: string): string | undefined => parsedAddress(text)?.href;

/** Adds the route of the saved address to the URL that its document resolved to. */
export function withRoute(resolvedUrl: string, givenUrl: string): string {
  const url =
    resolvedUrl === '' || resolvedUrl.includes('#') || !givenUrl.includes('#')
      ? undefined
      : parsedAddress(givenUrl);
  return url === undefined ? resolvedUrl : `${resolvedUrl}${routeIn(url)}`;
}

const parsedAddress = (text: string): URL | undefined =>
  parsed(withScheme(unwrapAddress(withoutBreaks(text))));

/** Returns the id to try next if another URL of the list already has this one. */
export const nextItemId = (id: string): string =>
  String(Number(id) === LAST_ID ? FIRST_ID : Number(id) + 1);

/** Removes tabs and line breaks. URL parsers skip them (WHATWG), but other readers of the address do not. */
const withoutBreaks = (text: string): string => text.trim().replaceAll(/[\t\n\r]/g, '');

/** Adds a missing scheme. `example.com:8080/x` only seems to have one; `tel:555` has one. */
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

/** Strips a final dot and `www.`. Keeps `www.com`, where `www` is not a subdomain. */
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

/** Returns 2^52 plus the first 52 bits of the hash. */
function itemIdOf(normalUrl: string): string {
  const digest = hash('sha256', normalUrl, 'buffer');
  return String(FIRST_ID + digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >> 4));
}

/** Returns the `Address.domain` of a host as users write it; undefined if the text is not a host. */
export const canonicalDomain = (text: string): string | undefined =>
  normalAddress(
    `http://${text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^\./, '')}`,
  )?.domain;

/**
 * Returns the id of the registrable domain of a URL, or of its host if it has none: decimal text, "0" if the text is
 * not a URL.
 */
export function domainIdOf(url: string): string {
  const domain = getDomain(url) ?? parsedUrl(url)?.hostname ?? '';
  return domain === '' ? '0' : String(hash('sha256', domain, 'buffer').readUInt32BE(0) + 1);
}

/**
 * Matches a URL whose host and path are in normal form, so that only scheme, `www.` and final slashes can vary. A label
 * that begins with `xn--` may be invalid, so it does not match.
 */
const PLAIN =
  /^https?:\/\/(?:www\.)?((?:(?!xn--)[a-z0-9-]+\.)+(?!xn--)[a-z][a-z0-9-]*(?:\/[\w~-][\w.~-]*)*)\/*$/;

/**
 * Returns true if both texts are addresses of one document, in any spelling and with any route. Comparing plain
 * addresses is 50 times faster than normalising them.
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
