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

/** Read with its full row, which one look-up by the primary key gives: as an entity it would be built a second time. */
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

/** Times as numbers; ids stay decimal text. */
const loaded = ({ property, name, type }: EntityColumn): string =>
  `${name}${type === 'bigint' && property !== 'itemId' ? '::float8' : ''} AS "${property}"`;

const LOADED_COLUMNS = `${LOADED.map(loaded).join(', ')}, facet & ${KIND} AS kind`;

/** Of a tombstone, only the ids and the time are known. */
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

/** Annotations are deleted by their own id alone. */
export const LOAD_ANNOTATED_ITEMS = `
    SELECT ${LOADED_COLUMNS} FROM items WHERE user_id = $1 AND item_id IN (
      SELECT item_id FROM annotations WHERE user_id = $1 AND annotation_id = ANY ($2::text[]))`;

export const DELETE_ITEMS = `DELETE FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** What actions change of an item without reading its texts again. */
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

/** The same, and the texts with the keys that are made of them. */
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

/** What an item gets when it is made, and keeps. */
export const INSERTED_COLUMNS = [...WRITTEN_COLUMNS, ...columnsFor(Item, ['number'])];

const notKey = (columns: readonly EntityColumn[]): EntityColumn[] =>
  columns.filter(({ property }) => property !== 'itemId');

/** $2 is the version of the list. A statement a row, as TypeORM's `save` has it, takes 5,000 of them for a full batch. */
export const UPDATE_ITEMS = `
    UPDATE items AS item SET stamp = $2, ${assigned(notKey(STATE_COLUMNS), 'row')}
    FROM ${rowSet(STATE_COLUMNS, 3)}
    WHERE item.user_id = $1 AND item.item_id = row.item_id`;

/** What the resolver found stays with an item that was there before. */
export const WRITE_ITEMS = `
    INSERT INTO items (user_id, stamp, ${namesOf(INSERTED_COLUMNS)})
    SELECT $1, $2, ${namesOf(INSERTED_COLUMNS)} FROM ${rowSet(INSERTED_COLUMNS, 3)}
    ON CONFLICT (user_id, item_id) DO UPDATE SET stamp = excluded.stamp, ${assigned(notKey(WRITTEN_COLUMNS), 'excluded')}`;

/** What a page makes of an item. */
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

/** With the keys that are made of its texts. */
export const RECORDED_COLUMNS = [
  ...columnsFor(Item, ['itemId']),
  ...PAGE_COLUMNS,
  ...columnsFor(Item, ['titleKey', 'searchText']),
];

/** JSON has no equality but that of its text. */
const compared = (alias: string): string =>
  PAGE_COLUMNS.map(({ name, type }) => `${alias}.${name}${type === 'json' ? '::text' : ''}`).join(
    ', ',
  );

/** A page that is as it was changes nothing. The user's own times and states stay as they are. */
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

/** Copies within the database: the texts of a list of 200,000 items are 60 MB. */
export const BUILD_SEARCH_INDEX = `
    INSERT INTO item_search (${namesOf(SEARCHED)}) SELECT ${namesOf(SEARCHED)} FROM items WHERE user_id = $1`;

export const DELETE_FROM_SEARCH_INDEX = `DELETE FROM item_search WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

export const WRITE_SEARCH_INDEX = `
    ${BUILD_SEARCH_INDEX} AND item_id = ANY ($2::bigint[])
    ON CONFLICT (user_id, item_id) DO UPDATE SET ${assigned(SEARCHED.slice(2), 'excluded')}`;

/** Whether PostgreSQL believes the table smaller than one list; its catalog has no entity. */
export const IS_STATISTICS_STALE = `SELECT reltuples < $1 AS stale FROM pg_class WHERE oid = 'items'::regclass`;

/** ANALYZE is PostgreSQL's own. A table that another session analyses at the moment is skipped: the result is the same. */
export const REFRESH_STATISTICS = `ANALYZE (SKIP_LOCKED) items, item_search, tags, page_requests`;
