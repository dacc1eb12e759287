import {
  assigned,
  columnsFor,
  columnsOf,
  type EntityColumn,
  namesOf,
  rowSet,
} from '../../platform/database/entity-columns.js';
import { Item, ITEM_COLUMNS } from '../entities/item.entity.js';
import { ItemSearch } from '../entities/item-search.entity.js';
import { PageColumns } from '../entities/page-columns.js';
import { KIND } from '../facet.js';

/**
 * Selects the rows of items by primary key. This is raw SQL, because TypeORM would build entities in addition to the
 * rows.
 */
export const FIND_ITEMS = `SELECT ${ITEM_COLUMNS.join(', ')} FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

const LOADED = columnsFor(Item, [
  'itemId',
  'status',
  'favorite',
  'timeAdded',
  'addedSequence',
  'timeRead',
  'timeFavorited',
  'givenUrl',
  'givenTitle',
  'prefersGivenTitle',
  'resolvedUrl',
  'resolvedTitle',
  'tags',
  'timeUpdated',
  'importedAsOf',
  'note',
]);

/** Returns the SQL of one column for loading items. Times are loaded as numbers, and ids as decimal text. */
const loaded = ({ property, name, type }: EntityColumn): string =>
  `${name}${type === 'bigint' && property !== 'itemId' ? '::float8' : ''} AS "${property}"`;

const LOADED_COLUMNS = `${LOADED.map(loaded).join(', ')}, facet & ${KIND} AS kind`;

/** The expressions for columns of a deleted item's record. All other columns are NULL. */
const NOTHING_BUT: Partial<Record<string, string>> = {
  itemId: 'item_id',
  timeUpdated: 'stamp::float8',
};

/** Loads items and records of deleted items in one round trip, because an action may contain the id of either. */
export const LOAD_ITEMS = `
    SELECT ${LOADED_COLUMNS}, NULL::bigint AS "addressId" FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
    UNION ALL
    SELECT ${LOADED.map(({ property }) => NOTHING_BUT[property] ?? 'NULL').join(', ')}, NULL, address_id
    FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/**
 * Loads the items of annotations by annotation id, because clients that delete an annotation do not send the id of its
 * item.
 */
export const LOAD_ANNOTATED_ITEMS = `
    SELECT ${LOADED_COLUMNS} FROM items WHERE user_id = $1 AND item_id IN (
      SELECT item_id FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($2::text[]))`;

export const DELETE_ITEMS = `DELETE FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** The columns that an action changes if it leaves the texts of the item unchanged. */
export const STATE_COLUMNS = columnsFor(Item, [
  'itemId',
  'status',
  'favorite',
  'tags',
  'timeAdded',
  'addedSequence',
  'timeRead',
  'timeFavorited',
  'timeUpdated',
  'importedAsOf',
  'note',
]);

/** All columns that actions write: the state, the texts, and the sort keys that are computed from the texts. */
const WRITTEN_COLUMNS = [
  ...STATE_COLUMNS,
  ...columnsFor(Item, [
    'givenUrl',
    'givenTitle',
    'prefersGivenTitle',
    'titleKey',
    'urlKey',
    'searchText',
  ]),
];

/** The columns of a new item. Unlike WRITTEN_COLUMNS, they include the number, which never changes. */
export const INSERTED_COLUMNS = [...WRITTEN_COLUMNS, ...columnsFor(Item, ['number'])];

const notKey = (columns: readonly EntityColumn[]): EntityColumn[] =>
  columns.filter(({ property }) => property !== 'itemId');

/**
 * Updates the state of items. $2 is the new version of the list. With TypeORM, a batch of 5,000 items would need one
 * statement for each of them.
 */
export const UPDATE_ITEMS = `
    UPDATE items AS item SET stamp = $2, ${assigned(notKey(STATE_COLUMNS), 'row')}
    FROM ${rowSet(STATE_COLUMNS, 3)}
    WHERE item.user_id = $1 AND item.item_id = row.item_id`;

/** Inserts or updates items. An existing item keeps the columns that it copied from its page. */
export const WRITE_ITEMS = `
    INSERT INTO items (user_id, stamp, ${namesOf(INSERTED_COLUMNS)})
    SELECT $1, $2, ${namesOf(INSERTED_COLUMNS)} FROM ${rowSet(INSERTED_COLUMNS, 3)}
    ON CONFLICT (user_id, item_id) DO UPDATE SET stamp = excluded.stamp, ${assigned(notKey(WRITTEN_COLUMNS), 'excluded')}`;

const PAGE_COLUMNS = columnsOf(PageColumns);

/**
 * The columns that are written for a fetched page: the item id, PAGE_COLUMNS, and the sort keys that are computed from
 * the texts.
 */
export const RECORDED_COLUMNS = [
  ...columnsFor(Item, ['itemId']),
  ...PAGE_COLUMNS,
  ...columnsFor(Item, ['titleKey', 'searchText']),
];

/**
 * Returns an expression with which two rows are compared. JSON columns are compared as text, because the type json has
 * no equality operator.
 */
const compared = (alias: string): string =>
  PAGE_COLUMNS.map(({ name, type }) => `${alias}.${name}${type === 'json' ? '::text' : ''}`).join(
    ', ',
  );

/**
 * Copies the values of fetched pages to items, and skips items that already have the values. Does not change times and
 * states, which belong to the user.
 */
export const RECORD_PAGES = `
    UPDATE items AS item SET stamp = $2, ${assigned(notKey(RECORDED_COLUMNS), 'row')}
    FROM json_to_recordset($3::json) AS row (${RECORDED_COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')})
    WHERE item.user_id = $1 AND item.item_id = row.item_id
      AND ROW (${compared('item')}) IS DISTINCT FROM ROW (${compared('row')})
    RETURNING item.item_id`;

const SEARCHED = columnsFor(ItemSearch, [
  'userId',
  'itemId',
  'addedOrder',
  'titleKey',
  'urlKey',
  'searchText',
]);

/**
 * Builds the search index of a list. The database copies the texts itself, because those of 200,000 items have 60 MB.
 */
export const BUILD_SEARCH_INDEX = `
    INSERT INTO item_search (${namesOf(SEARCHED)}) SELECT ${namesOf(SEARCHED)} FROM items WHERE user_id = $1`;

export const DELETE_FROM_SEARCH_INDEX = `DELETE FROM item_search WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

export const WRITE_SEARCH_INDEX = `
    ${BUILD_SEARCH_INDEX} AND item_id = ANY ($2::bigint[])
    ON CONFLICT (user_id, item_id) DO UPDATE SET ${assigned(SEARCHED.slice(2), 'excluded')}`;

/**
 * Returns true if PostgreSQL estimates the table of items to be smaller than one list. This is raw SQL, because the
 * estimate is in a system catalog.
 */
export const IS_STATISTICS_STALE = `SELECT reltuples < $1 AS stale FROM pg_class WHERE oid = 'items'::regclass`;

/** Updates the statistics of the tables. Skips tables whose statistics another session is updating. */
export const REFRESH_STATISTICS = `ANALYZE (SKIP_LOCKED) items, item_search, tags, page_requests`;
