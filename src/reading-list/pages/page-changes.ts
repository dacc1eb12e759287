import type { EntityManager } from 'typeorm';

import type { TrackedItem } from '../list/tracked-items.js';
import { forgetPages, PagePriority, type RequestedItem, requestPages } from './page-requests.js';

/** The pages to request in one transaction. */
export interface PageChanges {
  /** Items whose pages must be fetched. */
  readonly requested: readonly RequestedItem[];
  /** Imported items whose pages must be fetched. The pages in `requested` are fetched first. */
  readonly requestedInBulk: readonly RequestedItem[];
}

/** Returns the pages that must be fetched for the changed items. */
export const pageChangesOf = (touched: readonly TrackedItem[]): PageChanges => ({
  requested: touched.filter((item) => item.needsPage).map(requestOf),
  requestedInBulk: touched.filter((item) => item.needsPageInBulk).map(requestOf),
});

const requestOf = ({ itemId, state }: TrackedItem): RequestedItem => ({
  itemId,
  givenUrl: state.givenUrl,
});

interface PageWrites extends PageChanges {
  /** Ids of deleted items. Their pages are no longer needed. */
  readonly deleted: readonly string[];
}

/**
 * Cancels the page requests of deleted items, and queues the pages in `requested` and `requestedInBulk`. `perHour` is
 * the maximum number of pages that are fetched per hour for the user. 0 means no limit.
 */
export async function writePageChanges(
  manager: EntityManager,
  userId: string,
  { deleted, requested, requestedInBulk }: PageWrites,
  perHour: number,
): Promise<void> {
  await Promise.all([
    forgetPages(manager, userId, deleted),
    requestPages(manager, userId, requested, { perHour, priority: PagePriority.Saved }),
    requestPages(manager, userId, requestedInBulk, { perHour, priority: PagePriority.Imported }),
  ]);
}
