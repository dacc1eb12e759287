import type { Request } from 'express';

import { parsedUrl } from '../../lib/util/parsed-url.js';

const OWN = new Set(['same-origin', 'none']);

/**
 * True if the request provably comes from a page of this site, or from the person through the browser itself. Browsers
 * send `Sec-Fetch-Site`, but not over plain HTTP, and old browsers never do. There, pages of this site are known by
 * `Origin` or `Referer`.
 */
export function isFromThisSite(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  return site === undefined ? sourceHost(request) === request.headers.host : OWN.has(site);
}

/**
 * True if the person provably opened the address through the browser itself: in the address bar, from a bookmark or in
 * the share menu. A page of this site proves nothing, because it can show an article with links of another site.
 */
export const isOpenedByPerson = (request: Request): boolean =>
  request.get('sec-fetch-site') === 'none' && !isPrefetch(request);

/** Headers that browsers send and programs do not. */
const BROWSER_HEADERS = [
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
  'upgrade-insecure-requests',
  'origin',
  'referer',
];
/** Over plain HTTP, a page can make a browser leave out all of those headers, but not change this one. */
const BROWSER_AGENT = /^Mozilla\/.*\b(?:Chrome|CriOS|Firefox|FxiOS|Safari|Edg|MSIE|Trident)\b/;

/** True if a web browser sent the request. */
export const isFromBrowser = ({ headers }: Request): boolean =>
  BROWSER_HEADERS.some((name) => name in headers) ||
  BROWSER_AGENT.test(headers['user-agent'] ?? '');

/** True if a browser only guesses where the person will go next. */
const isPrefetch = (request: Request): boolean =>
  (request.get('sec-purpose') ?? request.get('purpose') ?? '').startsWith('prefetch');

/**
 * Returns the host of the page that sent the request. Empty if the page hides its host, undefined if no header has it.
 */
function sourceHost({ headers }: Request): string | undefined {
  const source = headers.origin ?? headers.referer;
  if (source === undefined) {
    return undefined;
  }
  return parsedUrl(source)?.host ?? '';
}
