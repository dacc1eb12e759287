import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';

import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { cacheTally } from '../../platform/metrics/cache-lookups.js';
import { ItemQuery } from '../query/item.query.js';
import { itemsWithIds } from '../query/item-page.sql.js';
import type { ItemsFound, ItemsWanted, ItemVersion, VersionedRow } from '../query/items-wanted.js';

const MEGABYTE = 1_000_000;
/** The memory of a row in addition to its texts, in bytes. It includes the JSON that responses keep for a row. */
const BESIDE = 1000;
/** Texts are kept in the row and in the JSON of a response. V8 may need two bytes per character in each of them. */
const BYTES_PER_CHARACTER = 4;
/** Rows of larger pages are not cached, because clients read whole libraries only once. */
const LARGEST_PAGE = 100;
const REMEMBERED_USERS = 10_000;

/**
 * Caches the rows of items in memory. The columns of an item change only together with its version, so a page whose
 * items are cached is read as ids and versions (docs/decisions/0124).
 */
export class ItemCache {
  /** Counts rows, not pages. */
  readonly lookups = cacheTally();
  private readonly rows: LRUCache<string, VersionedRow> | undefined;
  /** The users whose rows were cached. For other users, one statement reads the page with its rows. */
  private readonly users = new LRUCache<string, true>({ max: REMEMBERED_USERS });

  /** With 0 megabytes, nothing is cached. */
  constructor(megabytes: number) {
    if (megabytes > 0) {
      this.rows = new LRUCache({ maxSize: megabytes * MEGABYTE, sizeCalculation: sizeOf });
    }
  }

  get bytes(): number {
    return this.rows?.calculatedSize ?? 0;
  }

  /** Reads a page of the list, and the version of the list, as `ItemQuery` does. */
  async page(
    manager: EntityManager,
    userId: string,
    wanted: ItemsWanted,
    list?: ListSummary,
  ): Promise<ItemsFound> {
    const query = new ItemQuery(manager, userId);
    if (this.rows === undefined || !isRepeated(wanted)) {
      return query.find(wanted, list);
    }
    const known = this.users.has(userId)
      ? await this.withRows(manager, userId, wanted, await query.findVersions(wanted, list))
      : undefined;
    if (known !== undefined) {
      return known;
    }
    const found = await query.find(wanted, list);
    this.store(userId, wanted, found.rows);
    return found;
  }

  /**
   * Returns the page with its rows. Reads the rows that are not cached. Returns undefined if one of them has changed
   * since the page was read, because all rows of a page must come from one snapshot.
   */
  private async withRows(
    manager: EntityManager,
    userId: string,
    wanted: ItemsWanted,
    found: ItemsFound<ItemVersion>,
  ): Promise<ItemsFound | undefined> {
    const keys = found.rows.map((item) => keyOf(userId, wanted, item));
    const rows = this.cached(keys);
    const unknown = found.rows.filter((_, at) => !rows.has(keys[at] ?? ''));
    this.lookups.add('hit', keys.length - unknown.length);
    this.lookups.add('miss', unknown.length);
    if (unknown.length > 0) {
      const itemIds = unknown.map(({ item_id: itemId }) => itemId);
      const { text, values } = itemsWithIds(userId, itemIds, wanted);
      const read = await queryRows<VersionedRow>(manager, text, values);
      this.store(userId, wanted, read);
      read.forEach((row) => rows.set(keyOf(userId, wanted, row), row));
    }
    const inOrder = keys.flatMap((key) => rows.get(key) ?? []);
    return inOrder.length === keys.length ? { ...found, rows: inOrder } : undefined;
  }

  /** Returns the cached rows by key. The page keeps them, so it does not matter if the cache drops some of them. */
  private cached(keys: readonly string[]): Map<string, VersionedRow> {
    return new Map(
      keys.flatMap((key) => {
        const row = this.rows?.get(key);
        return row === undefined ? [] : [[key, row] as const];
      }),
    );
  }

  private store(userId: string, wanted: ItemsWanted, rows: readonly VersionedRow[]): void {
    this.users.set(userId, true);
    rows.forEach((row) => this.rows?.set(keyOf(userId, wanted, row), row));
  }
}

/** Returns false for changes since an earlier call, because each client requests each set of changes only once. */
const isRepeated = ({ filter, page }: ItemsWanted): boolean =>
  filter.since === undefined && page.count <= LARGEST_PAGE;

const keyOf = (
  userId: string,
  { withNotes = false }: ItemsWanted,
  { item_id: itemId, item_version }: ItemVersion,
): string => `${userId}/${itemId}/${item_version}/${String(withNotes)}`;

/** Returns the approximate memory of a row and its key in bytes. */
const sizeOf = (row: VersionedRow): number =>
  BYTES_PER_CHARACTER * JSON.stringify(row).length + BESIDE;
