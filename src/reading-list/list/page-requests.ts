import { hash, randomUUID } from 'node:crypto';

import type { EntityManager } from 'typeorm';

import { compressedText } from '../../lib/util/compressed-text.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { normalAddress } from './address.js';
import { FORGET_PAGES, KEEP_SENT_PAGE, REQUEST_PAGES } from './page-requests.sql.js';

/** Which pages are read first: those that a user waits for, then those that came in bulk. */
export const PagePriority = { Saved: 0, Imported: 1 } as const;

export interface RequestedItem {
  readonly itemId: string;
  readonly givenUrl: string;
}

/** A page as the client's browser saw it, perhaps behind a login. */
export interface SentPage {
  readonly html: string;
  /** Of what was sent for one item, only the last is wanted. */
  readonly version: string;
  readonly stored: Buffer;
}

/** Under which the page at a saved URL is stored; undefined for what is no URL. */
export function pageKeyOf(givenUrl: string): Buffer | undefined {
  const address = normalAddress(givenUrl);
  return address && pageKey(address.documentUrl);
}

interface SentFor {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
}

/** One page for all spellings and routes of its URL: the SHA-256 of the normal form of the document. */
const pageKey = (documentUrl: string): Buffer => hash('sha256', documentUrl, 'buffer');

/** How pages are asked for. */
interface RequestTerms {
  readonly priority?: number;
  /** How many of them are to be fetched in an hour; 0 for as many as there are. */
  readonly perHour?: number;
}

/** Asks for the pages behind items to be read, those beyond the quota of the user in later hours. */
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

/** The pages of deleted items are not read any more, and what clients sent of them goes with them. */
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

/** Keeps the page until it is parsed, whatever becomes of this process. */
export async function keepSentPage(
  manager: EntityManager,
  { userId, itemId, url }: SentFor,
  { version, stored }: SentPage,
): Promise<void> {
  await queryRows(manager, KEEP_SENT_PAGE, [userId, itemId, version, url, stored]);
}
