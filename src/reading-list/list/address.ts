import { hash } from 'node:crypto';

import { isTrackingParameter } from './tracking-parameter.js';

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
  /** Where everybody finds the page: with a scheme, and without what tells of the person who saved it. */
  readonly pageUrl: string;
  /** Decimal text: a hash of `normalUrl`, the same for ever and for everybody. */
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

/** The host of a URL that may have been given without a scheme; undefined where there is none. */
export const hostOf = (text: string): string | undefined =>
  parsed(withScheme(withoutBreaks(text)))?.hostname;

/** The id to take when another URL of the list has this one. */
export const nextItemId = (id: string): string =>
  String(Number(id) === LAST_ID ? FIRST_ID : Number(id) + 1);

/** What every URL parser passes over (WHATWG), and who sees the address written out does not. */
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

function parsed(text: string | undefined): URL | undefined {
  try {
    return text === undefined ? undefined : new URL(text);
  } catch {
    return undefined;
  }
}

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
