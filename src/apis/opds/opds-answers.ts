import type { Response } from 'express';

import { outerPath } from '../../platform/http/sub-path.js';
import {
  type Addresses,
  type CatalogueFeed,
  feedType,
  presentCatalogue,
} from './catalogue-feed.js';

/**
 * Returns paths without a host, but with the sub-path of the host in the request. If the service has several addresses,
 * a reader stays at the address that the user typed. The addresses of books never change.
 */
export const addressesOf =
  (response: Response): Addresses =>
  (path) =>
    outerPath(response, path);

/**
 * Sends a feed. Does not load the feed for a HEAD request, because readers send a HEAD request before each GET request.
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
 * Sends XML without Express, which would add an ETag. It would also add a charset to the content type, which readers
 * compare.
 */
export function sendXml(response: Response, type: string, document: string): void {
  response.statusCode = 200;
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'private, no-store, no-transform');
  response.end(document);
}
