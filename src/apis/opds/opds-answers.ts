import type { Response } from 'express';

import { requestLanguage } from '../../platform/http/request-language.js';
import { outerPath } from '../../platform/http/sub-path.js';
import { translatorTo } from '../../platform/i18n/translator.js';
import {
  type CatalogueFeed,
  type CatalogueWriter,
  feedType,
  presentCatalogue,
} from './catalogue-feed.js';

/**
 * Returns the writer of the catalogue in a response. Its links contain the path of PUBLIC_URL but no host, so an
 * e-reader keeps using the host that the user typed.
 */
export const writerOf = (response: Response): CatalogueWriter => ({
  at: (path) => outerPath(response, path),
  t: translatorTo(requestLanguage(response.req)).text,
});

/**
 * Sends a feed. Does not load the feed for a HEAD request, because a response to HEAD has no body. E-readers send a
 * HEAD request before each GET request.
 */
export async function sendFeed(
  response: Response,
  kind: CatalogueFeed['kind'],
  read: () => Promise<Omit<CatalogueFeed, 'kind'>>,
): Promise<void> {
  const isWanted = response.req.method !== 'HEAD';
  const feed = isWanted ? presentCatalogue({ ...(await read()), kind }, writerOf(response)) : '';
  sendXml(response, feedType(kind), feed);
}

/**
 * Sends XML without Express. Express would add an ETag, and a charset to the content type. Some e-readers reject a
 * content type with a charset, because they compare the whole value.
 */
export function sendXml(response: Response, type: string, document: string): void {
  response.statusCode = 200;
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'private, no-store, no-transform');
  response.end(document);
}
