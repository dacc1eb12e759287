import { Any, type EntityManager } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { isDistributed } from '../../platform/database/database.js';
import { type EntityColumn, rowSetValues } from '../../platform/database/entity-columns.js';
import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { WITH_ROUTE_IN_SQL } from '../addresses/route.js';
import { Item, type ItemRow } from '../entities/item.entity.js';
import type { SortColumn } from '../query/item-order.js';
import { type Address, normalAddress } from './address.js';
import {
  BUILD_SEARCH_INDEX,
  DELETE_FROM_SEARCH_INDEX,
  DELETE_ITEMS,
  FIND_ITEMS,
  INDEXED_ABOVE,
  INSERTED_COLUMNS,
  IS_STATISTICS_STALE,
  LOAD_ANNOTATED_ITEMS,
  LOAD_ITEMS,
  RECORD_PAGES,
  RECORDED_COLUMNS,
  REFRESH_STATISTICS,
  STATE_COLUMNS,
  UPDATE_ITEMS,
  WRITE_ITEMS,
  WRITE_SEARCH_INDEX,
} from './item.sql.js';
import { searchText, titleKey } from './item-texts.js';
import type { ChangedItem, ListChanges } from './list-changes.js';
import {
  candidateIds,
  type ItemState,
  type LoadedState,
  type StoredItem,
  type TouchedIds,
} from './list-state.js';
import { TombstoneRepository } from './tombstone.repository.js';

/**
 * The time limit for a statement that processes all items of a large list. The usual limit is too short for such a
 * statement.
 */
export const LONGEST_STATEMENT_SECONDS = 20;

interface SearchedList {
  readonly itemCount: number;
  readonly hasSearchIndex: boolean;
}

/** Returns true if the list has a search index, or has become large enough to need one. */
export const needsSearchIndex = ({ hasSearchIndex, itemCount }: SearchedList): boolean =>
  hasSearchIndex || itemCount > INDEXED_ABOVE;

/** The values that are written to an item after its page was fetched. */
export type RecordedItem = Readonly<Pick<Item, (typeof RECORDED_COLUMNS)[number]['property']>>;

interface TombstoneRow {
  readonly itemId: string;
  readonly status: null;
  readonly timeUpdated: number | null;
  readonly addressId: string | null;
}

/** Stores the items of all lists, and copies of their texts for searches. */
export class ItemRepository extends CustomRepository<Item> {
  static readonly entity = Item;

  /** Returns the items of the list that have one of these ids. The keys of the result are item ids. */
  async rowsById(
    userId: string,
    itemIds: readonly string[],
  ): Promise<ReadonlyMap<string, ItemRow>> {
    const rows = await this.whenAny<ItemRow>(FIND_ITEMS, userId, itemIds);
    return new Map(rows.map((row) => [row.item_id, row]));
  }

  /**
   * Returns an item of the list. If the address of the item has changed, `itemId` may also be its earlier id
   * (docs/decisions/0113).
   */
  async rowOf(userId: string, itemId: string): Promise<ItemRow | undefined> {
    const row = (await this.rowsById(userId, [itemId])).get(itemId);
    if (row !== undefined) {
      return row;
    }
    const moves = await TombstoneRepository.in(this.manager).movesOf(userId, [itemId]);
    return (await this.rowsById(userId, [...moves.values()])).get(moves.get(itemId) ?? '');
  }

  /** Returns the user's note about the page of an item. It is empty if there is no note. */
  async noteOf(userId: string, itemId: string): Promise<string> {
    const item = await this.findOne({ select: { note: true }, where: { userId, itemId } });
    return item?.note ?? '';
  }

  /** Returns the item that was saved with this URL or another spelling of this URL. */
  async rowAt(userId: string, address: Address): Promise<ItemRow | undefined> {
    const ids = candidateIds({ address });
    const found = await this.rowsById(userId, ids);
    return ids
      .map((id) => found.get(id))
      .find(
        (row) => row !== undefined && normalAddress(row.given_url)?.normalUrl === address.normalUrl,
      );
  }

  /** Returns the item with this number. The number is a 31-bit id for clients that do not support longer ids. */
  async rowNumbered(userId: string, number: number): Promise<ItemRow | undefined> {
    const item = await this.findOne({ select: { itemId: true }, where: { userId, number } });
    return item === null
      ? undefined
      : (await this.rowsById(userId, [item.itemId])).get(item.itemId);
  }

  /** Returns those of the numbers (31-bit ids) that already belong to items of the list. */
  async takenNumbers(userId: string, numbers: readonly number[]): Promise<Set<number>> {
    const found =
      numbers.length === 0
        ? []
        : await this.find({
            select: { number: true },
            where: { userId, number: Any([...numbers]) },
          });
    return new Set(found.map(({ number }) => number));
  }

  /**
   * Returns the item whose page redirected to this URL. If there are several such items, returns the one that was added
   * last.
   */
  async rowResolvedTo(userId: string, url: string): Promise<ItemRow | undefined> {
    const row = await this.createQueryBuilder('item')
      .select('item.item_id', 'itemId')
      .where('item.user_id = :userId', { userId })
      // PostgreSQL has an index on the MD5 hash of the URL, but not on the URL itself.
      .andWhere('md5(item.resolved_url)::uuid = md5(:url)::uuid AND item.resolved_url = :url', {
        url,
      })
      // Skips items whose `resolved_url` lacks the fragment that identifies the page in `given_url`.
      // Earlier versions of Satchel stored `resolved_url` without this fragment (docs/decisions/0095).
      .andWhere(`(item.resolved_url LIKE '%#%' OR item.given_url !~ :route)`, {
        route: WITH_ROUTE_IN_SQL,
      })
      .orderBy('item.added_order', 'DESC')
      .addOrderBy('item.item_id', 'DESC')
      .limit(1)
      .getRawOne<{ itemId: string }>();
    return row && (await this.rowsById(userId, [row.itemId])).get(row.itemId);
  }

  /**
   * Returns the value of an item in a sort column, as a text. Returns undefined if the item is not in the list.
   */
  async sortKeyOf(userId: string, itemId: string, column: SortColumn): Promise<string | undefined> {
    const row = await this.createQueryBuilder('item')
      .select(`item.${column}`, 'key')
      .where({ userId, itemId })
      .getRawOne<{ key: string }>();
    return row?.key;
  }

  /** Loads the items that a batch of changes concerns. For deleted items, loads the records of their deletion. */
  async load(
    userId: string,
    { itemIds, annotations }: TouchedIds,
  ): Promise<Pick<LoadedState, 'items' | 'tombstones'>> {
    const [rows, annotated] = await Promise.all([
      this.whenAny<StoredItem | TombstoneRow>(LOAD_ITEMS, userId, itemIds),
      this.whenAny<StoredItem>(LOAD_ANNOTATED_ITEMS, userId, annotations?.ids ?? []),
    ]);
    const found = [...rows.filter((row) => row.status !== null), ...annotated];
    return {
      items: [...new Map(found.map((item) => [item.itemId, item])).values()],
      tombstones: rows
        .filter((row) => row.status === null)
        .map(({ itemId, timeUpdated, addressId }) => ({
          itemId,
          deletedAt: timeUpdated,
          addressId,
        })),
    };
  }

  /** Writes the changes of items: deletions, changed states (such as archived), and new or changed texts. */
  async write(
    owner: readonly [userId: string, version: string],
    { deleted, stateChanged, upserted }: ListChanges,
  ): Promise<void> {
    await Promise.all([
      deleted.length > 0 && queryRows(this.manager, DELETE_ITEMS, [owner[0], deleted]),
      stateChanged.length > 0 &&
        queryRows(this.manager, UPDATE_ITEMS, [
          ...owner,
          ...rowSetValues(STATE_COLUMNS, stateChanged.map(stateOf)),
        ]),
      upserted.length > 0 &&
        queryRows(this.manager, WRITE_ITEMS, [
          ...owner,
          ...rowSetValues(INSERTED_COLUMNS, upserted.map(upsertedOf)),
        ]),
    ]);
  }

  /** Copies the values of fetched pages to their items. Returns the ids of the items that changed. */
  async recordPages(
    owner: readonly [userId: string, version: string],
    items: readonly RecordedItem[],
  ): Promise<string[]> {
    const records = items.map((item) => recordOf(RECORDED_COLUMNS, item));
    const values = [...owner, JSON.stringify(records)];
    const changed = await queryRows<{ item_id: string }>(this.manager, RECORD_PAGES, values);
    return changed.map(({ item_id: itemId }) => itemId);
  }

  /**
   * Updates the search index of a large list, or builds the index if the list has just become large. The caller must
   * write the items first.
   */
  async writeSearchIndex(
    userId: string,
    list: SearchedList,
    { deleted, reindexed }: Pick<ListChanges, 'deleted' | 'reindexed'>,
  ): Promise<void> {
    if (!needsSearchIndex(list)) {
      return;
    }
    if (!list.hasSearchIndex) {
      await allowLongStatements(this.manager, LONGEST_STATEMENT_SECONDS);
      await queryRows(this.manager, BUILD_SEARCH_INDEX, [userId]);
      await refreshStatistics(this.manager, list.itemCount);
      return;
    }
    await Promise.all([
      this.whenAny(DELETE_FROM_SEARCH_INDEX, userId, deleted),
      this.whenAny(WRITE_SEARCH_INDEX, userId, reindexed),
    ]);
  }

  private async whenAny<Row extends object>(
    text: string,
    userId: string,
    ids: readonly string[],
  ): Promise<Row[]> {
    return ids.length === 0 ? [] : queryRows<Row>(this.manager, text, [userId, ids]);
  }
}

type UpsertedItem = ListChanges['upserted'][number];
type WrittenKeys = Pick<Item, 'titleKey' | 'urlKey' | 'searchText'>;
type RecordOf<T extends ChangedItem> = ItemState & Omit<T, 'state'>;

/**
 * Returns the columns of a changed item as one object. The properties of the state come first, because `item.tags` must
 * overwrite `state.tags`, which may be outdated. Object.assign is 20 times faster here than two spreads
 * (docs/research/performance.md).
 */
const stateOf = <T extends ChangedItem>(item: T): RecordOf<T> =>
  Object.assign({}, item.state, item);

/** Returns the values of the columns of a new item, or of an item with changed texts. */
export const upsertedOf = (item: UpsertedItem): RecordOf<UpsertedItem> & WrittenKeys => ({
  titleKey: titleKey(item.texts),
  urlKey: normalAddress(item.state.givenUrl)?.urlKey ?? '',
  searchText: searchText(item.texts),
  ...stateOf(item),
});

const recordOf = (
  columns: readonly EntityColumn<keyof RecordedItem>[],
  item: RecordedItem,
): object => Object.fromEntries(columns.map(({ name, property }) => [name, item[property]]));

/**
 * Runs ANALYZE if PostgreSQL assumes that the table `items` has fewer rows than this single list. With such outdated
 * statistics, prepared statements would use a plan for small tables, which reads a whole list. After an import of
 * 200,000 items, autovacuum would run ANALYZE only a minute later (docs/decisions/0045).
 *
 * Does nothing on a distributed database. The server to which the service connects never has statistics of its tables,
 * so each long list would wait for an ANALYZE on all servers. Each server runs autovacuum for its own shards.
 */
async function refreshStatistics(manager: EntityManager, itemCount: number): Promise<void> {
  if (isDistributed(manager)) {
    return;
  }
  const [tables] = await queryRows<{ stale: boolean }>(manager, IS_STATISTICS_STALE, [itemCount]);
  if (tables?.stale === true) {
    await queryRows(manager, REFRESH_STATISTICS);
  }
}
