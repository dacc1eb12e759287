import type { Response } from 'express';

import { outerPath } from '../../platform/http/sub-path.js';
import {
  type Addresses,
  type CatalogueFeed,
  feedType,
  presentCatalogue,
} from './catalogue-feed.js';

/**
 * Returns paths without a host, with the sub-path that the host of the request uses. A reader stays at the address that
 * was typed, whichever of several it is, and book addresses never change.
 */
export const addressesOf =
  (response: Response): Addresses =>
  (path) =>
    outerPath(response, path);

/** Sends a feed. A HEAD request skips reading the feed, because readers send one before each GET. */
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
 * Sends XML with Node's own methods. Express would add an ETag, and a charset to the content type, which readers
 * compare.
 */
export function sendXml(response: Response, type: string, document: string): void {
  response.statusCode = 200;
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'private, no-store, no-transform');
  response.end(document);
}
