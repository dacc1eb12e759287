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
 * Selects the rows of items by primary key. This is raw SQL, because TypeORM would also build an entity for each row.
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

/**
 * Maps properties to the SQL expressions by which LOAD_ITEMS reads them from the record of a deleted item. LOAD_ITEMS
 * returns NULL for all other properties of a deleted item.
 */
const NOTHING_BUT: Partial<Record<string, string>> = {
  itemId: 'item_id',
  timeUpdated: '(CASE WHEN NOT is_undone THEN stamp END)::float8',
};

/**
 * Loads items and records of deleted items in one round trip, because the id in an action may belong to either of them.
 */
export const LOAD_ITEMS = `
    SELECT ${LOADED_COLUMNS}, NULL::bigint AS "addressId" FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
    UNION ALL
    SELECT ${LOADED.map(({ property }) => NOTHING_BUT[property] ?? 'NULL').join(', ')}, NULL, address_id
    FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/**
 * Loads the items to which annotations belong. Clients that delete an annotation send only its own
 * id.
 */
export const LOAD_ANNOTATED_ITEMS = `
    SELECT ${LOADED_COLUMNS} FROM items WHERE user_id = $1 AND item_id IN (
      SELECT item_id FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($2::text[]))`;

export const DELETE_ITEMS = `DELETE FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/**
 * The number of items above which a list has a search index. For a smaller list, reading all items costs less than
 * updating an index (docs/decisions/0044).
 */
export const INDEXED_ABOVE = 5000;

/** The columns that an action writes if the URLs and titles of the item stay the same. */
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

/** The columns of a new item. Unlike WRITTEN_COLUMNS, they include the column `number`, which never changes. */
export const INSERTED_COLUMNS = [...WRITTEN_COLUMNS, ...columnsFor(Item, ['number'])];

const notKey = (columns: readonly EntityColumn[]): EntityColumn[] =>
  columns.filter(({ property }) => property !== 'itemId');

/**
 * Updates the state of items. $2 is the new version of the list. With TypeORM, a batch of 5,000 items would need 5,000
 * statements.
 */
export const UPDATE_ITEMS = `
    UPDATE items AS item SET stamp = $2, ${assigned(notKey(STATE_COLUMNS), 'row')}
    FROM ${rowSet(STATE_COLUMNS, 3)}
    WHERE item.user_id = $1 AND item.item_id = row.item_id`;

/** Inserts or updates items. In an existing item, the columns with the values of its fetched page stay unchanged. */
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
 * Returns the columns by which RECORD_PAGES compares the stored values of an item with the new values. JSON columns are
 * compared as text, because the type json has no equality operator.
 */
const compared = (alias: string): string =>
  PAGE_COLUMNS.map(({ name, type }) => `${alias}.${name}${type === 'json' ? '::text' : ''}`).join(
    ', ',
  );

/**
 * Copies the values of fetched pages to items. Skips items that already have these values. Does not change times and
 * states, because only actions and imports set them.
 */
export const RECORD_PAGES = `
    UPDATE items AS item SET stamp = $2, fetch_failed = 0, gone_since = 0, ${assigned(notKey(RECORDED_COLUMNS), 'row')}
    FROM json_to_recordset($3::json) AS row (${RECORDED_COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')})
    WHERE item.user_id = $1 AND item.item_id = row.item_id
      AND ROW (${compared('item')}) IS DISTINCT FROM ROW (${compared('row')})
    RETURNING item.item_id`;

/** Records since when the pages of items are gone. Raw SQL, because TypeORM has no UPDATE … FROM. $1 is the user, $2 the version of the list. */
export const RECORD_GONE = `
    UPDATE items AS item SET stamp = $2, gone_since = row.gone_since
    FROM unnest($3::bigint[], $4::bigint[], $5::bigint[]) AS row (item_id, resolved_id, gone_since)
    WHERE item.user_id = $1 AND item.item_id = row.item_id AND item.resolved_id = row.resolved_id
      AND item.gone_since <> row.gone_since
    RETURNING item.item_id AS "itemId"`;

/** The columns of the search index. */
export const SEARCHED_COLUMNS = columnsFor(ItemSearch, [
  'userId',
  'itemId',
  'addedOrder',
  'titleKey',
  'urlKey',
  'searchText',
]);

/**
 * Builds the search index of a list. The statement copies the texts within the database, because sending the texts of
 * 200,000 items would transfer 60 MB.
 */
export const BUILD_SEARCH_INDEX = `
    INSERT INTO item_search (${namesOf(SEARCHED_COLUMNS)}) SELECT ${namesOf(SEARCHED_COLUMNS)} FROM items WHERE user_id = $1`;

export const DELETE_FROM_SEARCH_INDEX = `DELETE FROM item_search WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

export const WRITE_SEARCH_INDEX = `
    ${BUILD_SEARCH_INDEX} AND item_id = ANY ($2::bigint[])
    ON CONFLICT (user_id, item_id) DO UPDATE SET ${assigned(SEARCHED_COLUMNS.slice(2), 'excluded')}`;

/**
 * Returns true if PostgreSQL estimates that the table of items has fewer than $1 rows. This is raw SQL, because the
 * estimate is in a system catalog.
 */
export const IS_STATISTICS_STALE = `SELECT reltuples < $1 AS stale FROM pg_class WHERE oid = 'items'::regclass`;

/** Updates PostgreSQL's statistics about these tables. Skips tables whose statistics another session is updating. */
export const REFRESH_STATISTICS = `ANALYZE (SKIP_LOCKED) items, item_search, tags, page_requests`;
