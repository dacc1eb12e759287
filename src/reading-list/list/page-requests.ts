import { hash, randomUUID } from 'node:crypto';

import type { EntityManager } from 'typeorm';

import { compressedText } from '../../lib/util/compressed-text.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { normalAddress } from './address.js';
import { FORGET_PAGES, KEEP_SENT_PAGE, REQUEST_PAGES } from './page-requests.sql.js';

/** The fetch priorities: pages that a user waits for are fetched before imported pages. */
export const PagePriority = { Saved: 0, Imported: 1 } as const;

export interface RequestedItem {
  readonly itemId: string;
  readonly givenUrl: string;
}

/** The HTML of a page in the client's browser. The page may require a login. */
export interface SentPage {
  readonly html: string;
  /** Identifies this upload. If several pages were sent for one item, only the last page counts. */
  readonly version: string;
  readonly stored: Buffer;
}

/** Returns the key of the stored page of a saved URL. Returns undefined if the text is not a URL. */
export function pageKeyOf(givenUrl: string): Buffer | undefined {
  const address = normalAddress(givenUrl);
  return address && pageKey(address.documentUrl);
}

interface SentFor {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
}

/** Returns the SHA-256 hash of the normal form. All spellings and routes of a URL therefore have the same page. */
const pageKey = (documentUrl: string): Buffer => hash('sha256', documentUrl, 'buffer');

/** Options for requesting pages. */
interface RequestTerms {
  readonly priority?: number;
  /** The maximum number of these pages to fetch per hour. 0 means no limit. */
  readonly perHour?: number;
}

/** Queues the pages of items to be fetched. Pages beyond the quota of the user are fetched in later hours. */
export async function requestPages(
  manager: EntityManager,
  userId: string,
  items: readonly RequestedItem[],
  { priority = PagePriority.Saved, perHour = 0 }: RequestTerms = {},
): Promise<void> {
  const asked = items.flatMap(({ itemId, givenUrl }) => {
    const address = normalAddress(givenUrl);
    return address === undefined ? [] : [{ ...address, itemId }];
  });
  if (asked.length === 0) {
    return;
  }
  await queryRows(manager, REQUEST_PAGES, [
    userId,
    priority,
    asked.map(({ itemId }) => itemId),
    asked.map(({ documentUrl }) => pageKey(documentUrl)),
    asked.map(({ pageUrl }) => pageUrl),
    asked.map(({ domain }) => domain),
    perHour,
  ]);
}

/** Cancels the page requests of deleted items, and deletes the pages that clients sent for them. */
export async function forgetPages(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length > 0) {
    await queryRows(manager, FORGET_PAGES, [userId, itemIds]);
  }
}

export const sentPage = async (html: string): Promise<SentPage> => ({
  html,
  version: randomUUID(),
  stored: await compressedText(html),
});

/** Stores a sent page until it is parsed, so that the page survives a restart of this process. */
export async function keepSentPage(
  manager: EntityManager,
  { userId, itemId, url }: SentFor,
  { version, stored }: SentPage,
): Promise<void> {
  await queryRows(manager, KEEP_SENT_PAGE, [userId, itemId, version, url, stored]);
}
