import { Any, type EntityManager } from 'typeorm';

import { propertiesOf, rowWithDefaults } from '../../platform/database/entity-columns.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { ItemDetailsRepository } from '../details/item-details.repository.js';
import type { StoredDetails } from '../details/tracked-details.js';
import { Item } from '../entities/item.entity.js';
import { type ItemMedia, NO_MEDIA, NOT_FETCHED, PageColumns } from '../entities/page-columns.js';
import { itemEvents } from '../events/unit-events.js';
import { facetMoves, kindOf } from '../facet.js';
import { withRoute } from '../list/address.js';
import { ItemRepository, needsSearchIndex, type RecordedItem } from '../list/item.repository.js';
import { searchText, titleKey } from '../list/item-texts.js';
import { ListRepository } from '../list/list.repository.js';
import type { StoredItem } from '../list/list-state.js';
import { NOTE_NEW_PAGES } from '../storage/storage.sql.js';
import type { StorageMove } from '../storage/storage-room.js';
import { shownPageBytes } from '../storage/stored-size.js';
import { markTextsDue } from '../texts/due-text.repository.js';

/** The values that an item copies from its page. Unlike in the table `items`, flags are booleans. */
export interface ItemPage extends Readonly<
  Omit<PageColumns, 'isArticle' | 'isIndex' | 'isPdf' | 'media'>
> {
  readonly isArticle: boolean;
  readonly isIndex: boolean;
  readonly isPdf: boolean;
  readonly media: ItemMedia;
}

interface FoundPage {
  readonly item: StoredItem;
  readonly page: ItemPage;
}

/**
 * Copies the values of fetched pages to the items that still exist, in the caller's transaction. If `isRestored` is
 * true, the pages were fetched before, so no event is written.
 */
export async function recordPages(
  manager: EntityManager,
  userId: string,
  pages: ReadonlyMap<string, ItemPage>,
  { isRestored = false } = {},
): Promise<void> {
  const lists = ListRepository.in(manager);
  const items = ItemRepository.in(manager);
  const list = await lists.lock(userId);
  const state = await lists.read(userId, { itemIds: [...pages.keys()], tagIds: [] });
  const details = await detailsOf(manager, userId, [...pages.keys()]);
  const found = state.items.flatMap((item) => {
    const page = pages.get(item.itemId);
    return page === undefined ? [] : [{ item, page: ownPage(item, page, details) }];
  });
  // All items are indexed again, because an article may change even if the copied values stay the same.
  await markTextsDue(manager, userId, found.map(itemIdOf));
  const reindexed = await items.recordPages([userId, list.nextVersion], found.map(recordedItem));
  await queryRows(manager, NOTE_NEW_PAGES, [userId, unchangedPages(found, reindexed)]);
  if (reindexed.length === 0) {
    return;
  }
  await items.writeSearchIndex(userId, list, { deleted: [], reindexed });
  await lists.moveCounters(userId, list, {
    hasSearchIndex: needsSearchIndex(list),
    events: () => (isRestored ? [] : itemEvents('item.fetched', reindexed)),
    storage: storageOf(found.filter(({ item }) => reindexed.includes(item.itemId))),
    facetMoves: facetMovesOf(found),
  });
}

const facetMovesOf = (found: readonly FoundPage[]): readonly number[] =>
  facetMoves(
    found.map(({ item }) => ({ ...item, tagIds: item.tags })),
    found.map(({ item, page }) => ({ ...item, tagIds: item.tags, kind: kindOf(page) })),
  );

/**
 * Returns the change in the stored size of the list. If a page is replaced, `mayStoreLess` is true,
 * because the size of the old page is not subtracted. A fetched page is never refused for its size.
 */
const storageOf = (found: readonly FoundPage[]): StorageMove => ({
  storedBytes: found.reduce((sum, { page }) => sum + shownPageBytes(page), 0),
  mayStoreLess: found.some(({ item }) => item.resolvedUrl !== ''),
});

/**
 * Marks items whose pages were given up, and gives them a new version, so that clients see the failure. Runs in the
 * caller's transaction.
 */
export async function recordGivenUp(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length === 0) {
    return;
  }
  const lists = ListRepository.in(manager);
  const list = await lists.lock(userId);
  const where = { userId, itemId: Any([...itemIds]), resolvedId: NOT_FETCHED };
  const waiting = await manager.find(Item, { select: { itemId: true }, where });
  if (waiting.length === 0) {
    return;
  }
  await manager.update(Item, where, { version: list.nextVersion, fetchFailed: 1 });
  await lists.moveCounters(userId, list, {
    hasSearchIndex: list.hasSearchIndex,
    facetMoves: facetMoves([], []),
    events: () =>
      itemEvents(
        'item.changed',
        waiting.map(({ itemId }) => itemId),
      ),
  });
}

const DEFAULTS = {
  ...propertiesOf(PageColumns, rowWithDefaults(PageColumns, {})),
  media: NO_MEDIA,
};

/** Adds default values for columns that are missing in page records from earlier versions of Satchel. */
const complete = (page: ItemPage): ItemPage => ({ ...DEFAULTS, ...page });

const withRouteOf = ({ givenUrl }: StoredItem, page: ItemPage): ItemPage => ({
  ...page,
  resolvedUrl: withRoute(page.resolvedUrl, givenUrl),
});

/**
 * Returns the page as the item shows it. If the fragment of the saved URL identifies a page, the URL of the page gets
 * this fragment. Data that clients have sent replace values of the page.
 */
const ownPage = (
  item: StoredItem,
  page: ItemPage,
  details: ReadonlyMap<string, StoredDetails>,
): ItemPage => withDetails(withRouteOf(item, complete(page)), details.get(item.itemId));

async function detailsOf(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, StoredDetails>> {
  const found = await ItemDetailsRepository.in(manager).ofItems(userId, itemIds);
  return new Map(found.map((details) => [details.itemId, details]));
}

/** Replaces values of the page with the values that clients have sent. */
const withDetails = (page: ItemPage, details: StoredDetails | undefined): ItemPage => ({
  ...page,
  lang: details?.language ?? page.lang,
  topImageUrl: details?.previewPicture ?? page.topImageUrl,
  media: { ...page.media, authors: details?.authors ?? page.media.authors },
});

const itemIdOf = ({ item }: FoundPage): string => item.itemId;

/** Returns the ids of the pages of those items that have no new version. */
const unchangedPages = (found: readonly FoundPage[], changedIds: readonly string[]): string[] =>
  found.flatMap(({ item, page }) => (changedIds.includes(item.itemId) ? [] : [page.resolvedId]));

function recordedItem({ item, page }: FoundPage): RecordedItem {
  const texts = { ...item, ...page };
  return {
    ...page,
    itemId: item.itemId,
    isArticle: page.isArticle ? 1 : 0,
    isIndex: page.isIndex ? 1 : 0,
    isPdf: page.isPdf ? 1 : 0,
    titleKey: titleKey(texts),
    searchText: searchText(texts),
  };
}
