import type { Response } from 'express';

import { outerPath } from '../../platform/http/sub-path.js';
import {
  type Addresses,
  type CatalogueFeed,
  feedType,
  presentCatalogue,
} from './catalogue-feed.js';

/**
 * Returns a function that adds the path of PUBLIC_URL to a path of the service. The links contain no host, so an
 * e-reader keeps using the host that the user typed.
 */
export const addressesOf =
  (response: Response): Addresses =>
  (path) =>
    outerPath(response, path);

/** Sends a feed. Does not load the feed for a HEAD request, because e-readers send HEAD before each GET. */
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
 * Sends XML without Express. Express would add an ETag, and a charset to the content type, which some e-readers compare
 * as a whole.
 */
export function sendXml(response: Response, type: string, document: string): void {
  response.statusCode = 200;
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'private, no-store, no-transform');
  response.end(document);
}
