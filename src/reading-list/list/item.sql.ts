import {
  assigned,
  columnsFor,
  type EntityColumn,
  namesOf,
  rowSet,
} from '../../platform/database/entity-columns.js';
import { Item, ITEM_COLUMNS } from '../entities/item.entity.js';
import { ItemSearch } from '../entities/item-search.entity.js';
import { KIND } from '../facet.js';

/** Selects full rows by primary key. As entities, the rows would be built a second time. */
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

/** Selects times as numbers; ids stay decimal text. */
const loaded = ({ property, name, type }: EntityColumn): string =>
  `${name}${type === 'bigint' && property !== 'itemId' ? '::float8' : ''} AS "${property}"`;

const LOADED_COLUMNS = `${LOADED.map(loaded).join(', ')}, facet & ${KIND} AS kind`;

/** The columns that a tombstone has; all others are NULL. */
const NOTHING_BUT: Partial<Record<string, string>> = {
  itemId: 'item_id',
  timeUpdated: 'stamp::float8',
};

/** Items and tombstones in one round trip: an action may name the id of either. */
export const LOAD_ITEMS = `
    SELECT ${LOADED_COLUMNS}, NULL::bigint AS "addressId" FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
    UNION ALL
    SELECT ${LOADED.map(({ property }) => NOTHING_BUT[property] ?? 'NULL').join(', ')}, NULL, address_id
    FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** The items of annotations. Clients delete an annotation by its own id only, without the id of its item. */
export const LOAD_ANNOTATED_ITEMS = `
    SELECT ${LOADED_COLUMNS} FROM items WHERE user_id = $1 AND item_id IN (
      SELECT item_id FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($2::text[]))`;

export const DELETE_ITEMS = `DELETE FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** The columns that actions change if the texts of the item stay the same. */
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

/** STATE_COLUMNS, the texts, and the keys that are computed from the texts. */
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

/** WRITTEN_COLUMNS and the number, which never changes. */
export const INSERTED_COLUMNS = [...WRITTEN_COLUMNS, ...columnsFor(Item, ['number'])];

const notKey = (columns: readonly EntityColumn[]): EntityColumn[] =>
  columns.filter(({ property }) => property !== 'itemId');

/** $2 is the version of the list. TypeORM's `save` would send one statement per row, 5,000 for a full batch. */
export const UPDATE_ITEMS = `
    UPDATE items AS item SET stamp = $2, ${assigned(notKey(STATE_COLUMNS), 'row')}
    FROM ${rowSet(STATE_COLUMNS, 3)}
    WHERE item.user_id = $1 AND item.item_id = row.item_id`;

/** An existing item keeps the columns that come from its page. */
export const WRITE_ITEMS = `
    INSERT INTO items (user_id, stamp, ${namesOf(INSERTED_COLUMNS)})
    SELECT $1, $2, ${namesOf(INSERTED_COLUMNS)} FROM ${rowSet(INSERTED_COLUMNS, 3)}
    ON CONFLICT (user_id, item_id) DO UPDATE SET stamp = excluded.stamp, ${assigned(notKey(WRITTEN_COLUMNS), 'excluded')}`;

/** The columns that an item copies from its page. */
const PAGE_COLUMNS = columnsFor(Item, [
  'resolvedId',
  'resolvedUrl',
  'resolvedTitle',
  'excerpt',
  'lang',
  'isArticle',
  'isIndex',
  'hasImage',
  'hasVideo',
  'wordCount',
  'topImageUrl',
  'media',
]);

/** The item id, PAGE_COLUMNS, and the keys that are computed from the texts. */
export const RECORDED_COLUMNS = [
  ...columnsFor(Item, ['itemId']),
  ...PAGE_COLUMNS,
  ...columnsFor(Item, ['titleKey', 'searchText']),
];

/** Compares JSON columns as text, because the type json has no equality operator. */
const compared = (alias: string): string =>
  PAGE_COLUMNS.map(({ name, type }) => `${alias}.${name}${type === 'json' ? '::text' : ''}`).join(
    ', ',
  );

/** Skips items whose page has not changed. Times and states, which belong to the user, stay as they are. */
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

/** Copies within the database, because the texts of a list of 200,000 items are 60 MB. */
export const BUILD_SEARCH_INDEX = `
    INSERT INTO item_search (${namesOf(SEARCHED)}) SELECT ${namesOf(SEARCHED)} FROM items WHERE user_id = $1`;

export const DELETE_FROM_SEARCH_INDEX = `DELETE FROM item_search WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

export const WRITE_SEARCH_INDEX = `
    ${BUILD_SEARCH_INDEX} AND item_id = ANY ($2::bigint[])
    ON CONFLICT (user_id, item_id) DO UPDATE SET ${assigned(SEARCHED.slice(2), 'excluded')}`;

/** True if PostgreSQL estimates the table smaller than one list. Raw SQL, because the catalog has no entity. */
export const IS_STATISTICS_STALE = `SELECT reltuples < $1 AS stale FROM pg_class WHERE oid = 'items'::regclass`;

/** ANALYZE exists only in PostgreSQL. Skips tables that another session is analysing: the result is the same. */
export const REFRESH_STATISTICS = `ANALYZE (SKIP_LOCKED) items, item_search, tags, page_requests`;
