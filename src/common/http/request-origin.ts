import type { Request } from 'express';

import { parsedUrl } from '../parsed-url.js';

const OWN = new Set(['same-origin', 'none']);

/**
 * Tells whether a page of this site sent a request, or the person did by the browser itself. Browsers say so, but not
 * over plain HTTP, and old ones not at all: there the origin tells, which pages of this site name.
 */
export function isFromThisSite(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  return site === undefined ? sourceHost(request) === request.headers.host : OWN.has(site);
}

/** Tells whether a page of another site is known to have sent a request, or a browser that asks before a person does. */
export function isFromElsewhere(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (site === undefined) {
    const source = sourceHost(request);
    return source !== undefined && source !== request.headers.host;
  }
  return !OWN.has(site) || isAhead(request);
}

/** A browser guesses where a person will go next. */
const isAhead = (request: Request): boolean =>
  (request.get('sec-purpose') ?? request.get('purpose') ?? '').startsWith('prefetch');

/** The host of the page that sent the request; empty for a page that hides it, undefined where nothing tells. */
function sourceHost({ headers }: Request): string | undefined {
  const source = headers.origin ?? headers.referer;
  if (source === undefined) {
    return undefined;
  }
  return parsedUrl(source)?.host ?? '';
}
