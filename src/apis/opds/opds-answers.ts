import type { Response } from 'express';

import { outerPath } from '../../platform/http/sub-path.js';
import {
  type Addresses,
  type CatalogueFeed,
  feedType,
  presentCatalogue,
} from './catalogue-feed.js';

/**
 * The paths of this service as the host of the request has them: a catalogue goes on at the address that was typed,
 * whichever of several it was, and book addresses stay the same.
 */
export const addressesOf =
  (response: Response): Addresses =>
  (path) =>
    outerPath(response, path);

/** Ends an answer with a feed. A HEAD is answered without reading it: readers send one before each GET. */
export async function sendFeed(
  response: Response,
  kind: CatalogueFeed['kind'],
  read: () => Promise<Omit<CatalogueFeed, 'kind'>>,
): Promise<void> {
  const isWanted = response.req.method !== 'HEAD';
  const feed = isWanted ? presentCatalogue({ ...(await read()), kind }, addressesOf(response)) : '';
  sendXml(response, feedType(kind), feed);
}

/** By Node's own means: Express would add a charset to the type, which readers compare, and a validator. */
export function sendXml(response: Response, type: string, document: string): void {
  response.statusCode = 200;
  response.setHeader('content-type', type);
  response.setHeader('cache-control', 'private, no-store, no-transform');
  response.end(document);
}
