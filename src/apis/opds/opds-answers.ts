import type { Response } from 'express';

import { outerPath } from '../../platform/http/sub-path.js';
import {
  type Addresses,
  type CatalogueFeed,
  feedType,
  presentCatalogue,
} from './catalogue-feed.js';

/**
 * Returns a function that converts a path of the service to a link. The link contains the path of
 * PUBLIC_URL but no host, so an e-reader keeps using the host that the user typed.
 */
export const addressesOf =
  (response: Response): Addresses =>
  (path) =>
    outerPath(response, path);

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
  const feed = isWanted ? presentCatalogue({ ...(await read()), kind }, addressesOf(response)) : '';
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
