import { hash, randomUUID } from 'node:crypto';

import type { EntityManager } from 'typeorm';

import { compressedText } from '../../lib/util/compressed-text.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { normalAddress } from '../list/address.js';
import {
  ALL_WITH_OWN_PAGES,
  COUNT_FURTHER_PAGES,
  FORGET_PAGES,
  KEEP_SENT_PAGE,
  REQUEST_PAGES,
  WITH_OWN_PAGES,
} from './page-requests.sql.js';

/** The priorities of fetching pages. Pages that users have saved are fetched before imported pages. */
export const PagePriority = { Saved: 0, Imported: 1 } as const;

export interface RequestedItem {
  readonly itemId: string;
  readonly givenUrl: string;
}

/** The HTML of a page, as the browser of the user has loaded it. The page may be visible only after a login. */
export interface SentPage {
  readonly html: string;
  /**
   * A random id of this content. If a client sends content for one item several times, only the content that was sent
   * last is used.
   */
  readonly version: string;
  readonly stored: Buffer;
}

/** Returns the key under which the page of a saved URL is stored. Returns undefined if the text is not a URL. */
export function pageKeyOf(givenUrl: string): Buffer | undefined {
  const address = normalAddress(givenUrl);
  return address && pageKey(address.documentUrl);
}

interface SentFor {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
}

/** Returns the SHA-256 of the normalized URL without its fragment, so that all spellings of a URL have the same key. */
const pageKey = (documentUrl: string): Buffer => hash('sha256', documentUrl, 'buffer');

/** A page to fetch: the key under which it is stored, its URL and its registrable domain. */
interface Page {
  readonly key: Buffer;
  readonly url: string;
  readonly host: string;
}

/** Returns the page of a saved URL. Returns undefined if the text is not a URL. */
export function pageOf(givenUrl: string): Page | undefined {
  const address = normalAddress(givenUrl);
  return (
    address && { key: pageKey(address.documentUrl), url: address.pageUrl, host: address.domain }
  );
}

/** Options for requesting pages. */
interface RequestTerms {
  readonly priority?: number;
  /** The maximum number of requested pages that are fetched per hour for one user. 0 means no limit. */
  readonly perHour?: number;
}

/** Counts fetched further pages of an article toward the user's quota, which delays pages that are requested later. */
export async function countFurtherPages(
  manager: EntityManager,
  { userId, priority, perHour }: { userId: string } & Required<RequestTerms>,
  pages: number,
): Promise<void> {
  await queryRows(manager, COUNT_FURTHER_PAGES, [userId, priority, pages, perHour]);
}

/** Queues the pages of items to be fetched. Pages beyond the user's hourly limit are fetched in later hours. */
export async function requestPages(
  manager: EntityManager,
  userId: string,
  items: readonly RequestedItem[],
  { priority = PagePriority.Saved, perHour = 0 }: RequestTerms = {},
): Promise<void> {
  const asked = items.flatMap(({ itemId, givenUrl }) => {
    const page = pageOf(givenUrl);
    return page === undefined ? [] : [{ ...page, itemId }];
  });
  if (asked.length === 0) {
    return;
  }
  await queryRows(manager, REQUEST_PAGES, [
    userId,
    priority,
    asked.map(({ itemId }) => itemId),
    asked.map(({ key }) => key),
    asked.map(({ url }) => url),
    asked.map(({ host }) => host),
    perHour,
  ]);
}

/** Cancels the page requests of deleted items, and deletes the page contents that clients sent for these items. */
export async function forgetPages(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length > 0) {
    await queryRows(manager, FORGET_PAGES, [userId, itemIds]);
  }
}

/**
 * Returns the items for which a client has sent a page. If `itemIds` is undefined, returns all such items of the user.
 */
export async function itemsWithOwnPages(
  manager: EntityManager,
  userId: string,
  itemIds?: readonly string[],
): Promise<string[]> {
  const rows = await (itemIds === undefined
    ? queryRows<{ itemId: string }>(manager, ALL_WITH_OWN_PAGES, [userId])
    : queryRows<{ itemId: string }>(manager, WITH_OWN_PAGES, [userId, itemIds]));
  return rows.map(({ itemId }) => itemId);
}

export const sentPage = async (html: string): Promise<SentPage> => ({
  html,
  version: randomUUID(),
  stored: await compressedText(html),
});

/** Stores page content from a client until the content is parsed, so that it is not lost if this process restarts. */
export async function keepSentPage(
  manager: EntityManager,
  { userId, itemId, url }: SentFor,
  { version, stored }: SentPage,
): Promise<void> {
  await queryRows(manager, KEEP_SENT_PAGE, [userId, itemId, version, url, stored]);
}
