import { owner } from './offline-queue.js';
import { at } from './own-path.js';

/** @typedef {import('./offline-pages.js').OfflineItem} OfflineItem */

/**
 * Returns the items whose articles this browser keeps. Returns no items if another user may have logged in.
 * @returns {Promise<OfflineItem[]>}
 */
export async function keptItems() {
  if (!('caches' in window) || (await owner())?.isSure !== true) {
    return [];
  }
  const response = await caches.match(at('/list/offline.json'));
  /** @type {unknown} */
  const index = await response?.json();
  return /** @type {{ items: OfflineItem[] }} */ (index ?? { items: [] }).items;
}
