import type { Request } from 'express';

import { parsedUrl } from '../../lib/util/parsed-url.js';
import type { Config } from '../config/config.js';
import { isLoopback } from '../config/registration-mode.js';

const OWN = new Set(['same-origin', 'none']);

/**
 * Returns true if the request comes from a page of this site, or if the person opened the address directly. Modern
 * browsers report this in the header `Sec-Fetch-Site`, but not over plain HTTP. Without the header, the host in
 * `Origin` or `Referer` must be the host of this site.
 */
export function isFromThisSite(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  return site === undefined ? sourceHost(request) === request.headers.host : OWN.has(site);
}

/**
 * Returns true if the browser reports that a page of another site has sent the request. Returns false without the header
 * `Sec-Fetch-Site`, which browsers do not send over plain HTTP.
 */
export function reportsAnotherSite(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  return site !== undefined && !OWN.has(site);
}

/**
 * Returns true if the person opened the address directly, for example from the address bar, a bookmark or the share
 * menu. Returns false for a click on a page of this site, because an article may contain links that another site has
 * written.
 */
export const isOpenedByPerson = (request: Request): boolean =>
  request.get('sec-fetch-site') === 'none' && !isPrefetch(request);

/**
 * Returns true if a page of a stranger's website has sent the request, according to the header `Origin`. Browsers send it
 * with each POST request of a script (Fetch standard). The origin of PUBLIC_URL is the service itself, because some proxies
 * replace the Host header. The origins in CORS_ORIGINS are known to the operator, and no stranger has a website on the
 * machine of the browser.
 */
export const isFromStranger = (
  { headers: { origin, host = '' } }: Pick<Request, 'headers'>,
  { publicUrl, corsOrigins = [] }: Pick<Config, 'publicUrl' | 'corsOrigins'>,
): boolean =>
  origin !== undefined &&
  ![publicUrl?.origin, ...corsOrigins].includes(origin) &&
  !isOfHostOrThisMachine(parsedUrl(origin), host.toLowerCase());

const isOfHostOrThisMachine = (page: URL | undefined, host: string): boolean =>
  page !== undefined && (page.host === host || isLoopback(page.hostname));

/** Headers that browsers send and other programs do not. */
const BROWSER_HEADERS = [
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
  'upgrade-insecure-requests',
  'origin',
  'referer',
];
/**
 * Matches the User-Agent header of browsers. Over plain HTTP, a web page can make a browser omit all BROWSER_HEADERS,
 * but not the User-Agent.
 */
const BROWSER_AGENT = /^Mozilla\/.*\b(?:Chrome|CriOS|Firefox|FxiOS|Safari|Edg|MSIE|Trident)\b/;

/** Returns true if a web browser sent the request. */
export const isFromBrowser = ({ headers }: Request): boolean =>
  BROWSER_HEADERS.some((name) => name in headers) ||
  BROWSER_AGENT.test(headers['user-agent'] ?? '');

/** Returns true if a browser prefetches the address without an action of the person. */
const isPrefetch = (request: Request): boolean =>
  (request.get('sec-purpose') ?? request.get('purpose') ?? '').startsWith('prefetch');

/**
 * Returns the host of the page that sent the request. Returns an empty string if the page hides its host, and undefined
 * if the request has neither `Origin` nor `Referer`.
 */
function sourceHost({ headers }: Request): string | undefined {
  const source = headers.origin ?? headers.referer;
  if (source === undefined) {
    return undefined;
  }
  return parsedUrl(source)?.host ?? '';
}
