import { hash } from 'node:crypto';

import { getDomain } from 'tldts';

import { parsedUrl } from '../../common/parsed-url.js';

const MAX_BYTES = 4096;
const MAX_KEY_LENGTH = 700;
/** The ids lie between 2^52 and 2^53: above the keys that JavaScript reorders, and exact in every client. */
const FIRST_ID = 2 ** 52;
const LAST_ID = 2 ** 53 - 1;

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const WEB_SCHEME = /^https?$/i;
/** What may stand where a scheme was left out: a host that has a dot, or needs none, and its port. */
const BARE_AUTHORITY = /^(?:localhost|\[[0-9a-f:.]+\]|[^.:@]+\.[^:@]+)(?::\d+)?$/i;

/** Where a saved page lies. Two spellings with one `normalUrl` are one item (docs/decisions/0016). */
export interface Address {
  /** As it was given, trimmed, without tabs and line breaks. */
  readonly givenUrl: string;
  readonly normalUrl: string;
  /** Where the page is fetched: with a scheme, and without what tells of the user who saved it. */
  readonly pageUrl: string;
  /** Decimal text: a hash of `normalUrl`, the same for ever and for every user. */
  readonly itemId: string;
  /** The host without `www.`, in lower case and ASCII. */
  readonly domain: string;
  /** What sort by site and the filter by domain compare: the domain, a slash, the rest. */
  readonly urlKey: string;
}

/** Undefined for what is no http(s) URL of at most 4 KB; a missing scheme means http. */
export function normalAddress(text: string): Address | undefined {
  const givenUrl = withoutBreaks(text);
  const url = Buffer.byteLength(givenUrl) > MAX_BYTES ? undefined : parsed(withScheme(givenUrl));
  const domain = url === undefined ? '' : domainOf(url.hostname);
  if (url === undefined || domain === '') {
    return undefined;
  }
  const port = url.port === '' ? '' : `:${url.port}`;
  const search = withoutTracking(url.search);
  const rest = `${withoutTrailingSlashes(url.pathname)}${search}`;
  const normalUrl = `http://${userInfoOf(url)}${domain}${port}${rest}`;
  return {
    givenUrl,
    normalUrl,
    pageUrl: `${url.protocol}//${url.host}${url.pathname}${search}`,
    itemId: itemIdOf(normalUrl),
    domain,
    urlKey: `${domain}/${`${port}${rest}`.replace(/^\//, '')}`.slice(0, MAX_KEY_LENGTH),
  };
}

/** The host of a URL that may have been given without a scheme; undefined for text that is no URL. */
export const hostOf = (text: string): string | undefined =>
  parsed(withScheme(withoutBreaks(text)))?.hostname;

/** The URL as a link: with a scheme, in ASCII; undefined for text that is no URL. */
export const hrefOf = (text: string): string | undefined =>
  parsed(withScheme(withoutBreaks(text)))?.href;

/** The id to take when another URL of the list has this one. */
export const nextItemId = (id: string): string =>
  String(Number(id) === LAST_ID ? FIRST_ID : Number(id) + 1);

/** Every URL parser skips them (WHATWG), but a reader of the written address does not. */
const withoutBreaks = (text: string): string => text.trim().replaceAll(/[\t\n\r]/g, '');

/** `example.com:8080/x` has no scheme, though it looks as if; `tel:555` has one. */
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

/** `www.com` is a name of its own, and `example.com.` is example.com. */
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

function withoutTracking(search: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isTrackingParameter(parameter));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/** 2^52 plus the first 52 bits of the hash. */
function itemIdOf(normalUrl: string): string {
  const digest = hash('sha256', normalUrl, 'buffer');
  return String(FIRST_ID + digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >> 4));
}

/** A host as `Address.domain` has it, from what a user would write; undefined for what is no host. */
export const canonicalDomain = (text: string): string | undefined =>
  normalAddress(
    `http://${text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/^\./, '')}`,
  )?.domain;

/** The id of the registrable domain of a URL, of its host where there is none: decimal text, "0" for no URL. */
export function domainIdOf(url: string): string {
  const domain = getDomain(url) ?? parsedUrl(url)?.hostname ?? '';
  return domain === '' ? '0' : String(hash('sha256', domain, 'buffer').readUInt32BE(0) + 1);
}

/**
 * A URL of which the host and path are its normal form: nothing in it has another spelling but scheme, `www.` and slashes.
 * What begins with `xn--` may be no name at all.
 */
const PLAIN =
  /^https?:\/\/(?:www\.)?((?:(?!xn--)[a-z0-9-]+\.)+(?!xn--)[a-z][a-z0-9-]*(?:\/[\w~-][\w.~-]*)*)\/*$/;

/** True when both texts are spellings of one address; to normalise them takes fifty times as long as to compare plain ones. */
export function isSameAddress(one: string, other: string): boolean {
  if (one === other) {
    return true;
  }
  const plain = [one, other].map((url) => PLAIN.exec(url)?.[1]);
  const [first, second] = plain.includes(undefined)
    ? [one, other].map((url) => normalAddress(url)?.normalUrl)
    : plain;
  return first !== undefined && first === second;
}

/** Parameters that tell where a visitor came from and never which page is meant (docs/decisions/0016). */
const CLICK_IDS = new Set([
  '_hsenc',
  '_hsmi',
  'dclid',
  'fbclid',
  'gbraid',
  'gclid',
  'gclsrc',
  'igsh',
  'igshid',
  'li_fat_id',
  'mc_cid',
  'mc_eid',
  'msclkid',
  'mkt_tok',
  'oly_anon_id',
  'oly_enc_id',
  'srsltid',
  'ttclid',
  'twclid',
  'vero_id',
  'wbraid',
  'yclid',
]);

/** Tells whether one `name=value` of a query is a campaign label or a click id. */
function isTrackingParameter(parameter: string): boolean {
  const [name = ''] = parameter.toLowerCase().split('=', 1);
  return name.startsWith('utm_') || CLICK_IDS.has(name);
}
