import { defaultsOf } from '../../platform/database/entity-columns.js';
import { OVER_ALL_USERS } from '../../platform/database/query-rows.js';
import { Annotation } from '../entities/annotation.entity.js';
import { Item } from '../entities/item.entity.js';
import { ANNOTATION_BYTES, DETAILS_BYTES, OWN_PAGE_BYTES } from '../storage/stored-size.js';

/**
 * Selects the pages that belong only to one of the items $2, as JSON text. This is a separate
 * statement, because pages and lists may be on different database servers.
 */
export const OWN_PAGES = `
  SELECT item_id AS "itemId", row_to_json(page)::text AS page FROM pages page
  WHERE owner_id = $1 AND item_id = ANY ($2::bigint[])`;

/**
 * Copies complete rows of deleted items as JSON, so that columns of later versions of Satchel are
 * copied too. $2 are item ids. $3 are ids of items with a page that belongs only to the item, and
 * $4 are the rows of these pages.
 */
export const KEEP_DELETED = `
  INSERT INTO deleted_items (user_id, item_id, deleted_at, item, annotations, own_page, position, details)
  SELECT item.user_id, item.item_id, now(), row_to_json(item),
    (SELECT coalesce(json_agg(one), '[]') FROM annotations one
     WHERE one.user_id = item.user_id AND one.item_id = item.item_id),
    (SELECT page::json FROM unnest($3::bigint[], $4::text[]) own (id, page) WHERE own.id = item.item_id),
    (SELECT row_to_json(place) FROM reading_positions place
     WHERE place.user_id = item.user_id AND place.item_id = item.item_id),
    (SELECT row_to_json(details) FROM item_details details
     WHERE details.user_id = item.user_id AND details.item_id = item.item_id)
  FROM items item WHERE item.user_id = $1 AND item.item_id = ANY ($2::bigint[])
  ON CONFLICT (user_id, item_id) DO UPDATE SET deleted_at = excluded.deleted_at, item = excluded.item,
    annotations = excluded.annotations, own_page = excluded.own_page, position = excluded.position,
    details = excluded.details`;

/**
 * Returns a SQL expression for a row with default values. The defaults replace columns that are
 * missing in a copy from an earlier version of Satchel.
 */
const rowOfDefaults = (table: string, defaults: object): string =>
  `json_populate_record(NULL::${table}, '${JSON.stringify(defaults).replaceAll("'", "''")}')`;

const DEFAULT_ITEM = rowOfDefaults('items', defaultsOf(Item));
const DEFAULT_ANNOTATION = rowOfDefaults('annotations', defaultsOf(Annotation));

/** Selects the deleted items that are not in the list again. Returns the columns of `items`. */
export const FIND_DELETED = `
  SELECT item.* FROM deleted_items deleted
  CROSS JOIN LATERAL json_populate_record(${DEFAULT_ITEM}, deleted.item) item
  WHERE deleted.user_id = $1 AND deleted.item_id = ANY ($2::bigint[]) AND NOT EXISTS (
    SELECT FROM items here WHERE here.user_id = deleted.user_id AND here.item_id = deleted.item_id)`;

/*
 * These statements restore rows when their items are in the list again. They are raw SQL, because the rows come from
 * JSON. They are not joined to one statement, because a distributed database would run its parts one after the other.
 */

const TAKEN = 'FROM deleted_items taken';
const OF_ITEMS = 'taken.user_id = $1 AND taken.item_id = ANY ($2::bigint[])';

export const RETURN_ANNOTATIONS = `
  INSERT INTO annotations SELECT annotation.*
  ${TAKEN} CROSS JOIN LATERAL json_populate_recordset(${DEFAULT_ANNOTATION}, taken.annotations) annotation
  WHERE ${OF_ITEMS} ON CONFLICT DO NOTHING`;

export const RETURN_POSITIONS = `
  INSERT INTO reading_positions SELECT place.*
  ${TAKEN} CROSS JOIN LATERAL json_populate_record(NULL::reading_positions, taken.position) place
  WHERE ${OF_ITEMS} AND taken.position IS NOT NULL ON CONFLICT DO NOTHING`;

export const RETURN_DETAILS = `
  INSERT INTO item_details SELECT details.*
  ${TAKEN} CROSS JOIN LATERAL json_populate_record(NULL::item_details, taken.details) details
  WHERE ${OF_ITEMS} AND taken.details IS NOT NULL ON CONFLICT DO NOTHING`;

/** Selects the pages in the copies of deleted items. */
export const KEPT_PAGES = `SELECT own_page::text AS page ${TAKEN} WHERE ${OF_ITEMS} AND own_page IS NOT NULL`;

/** Restores pages. $1 are the rows that KEPT_PAGES returns. */
export const RETURN_PAGES = `
  INSERT INTO pages OVERRIDING SYSTEM VALUE
  SELECT page.* FROM unnest($1::text[]) kept CROSS JOIN LATERAL json_populate_record(NULL::pages, kept::json) page
  ON CONFLICT DO NOTHING`;

const bytesOfText = (column: string, fixed: number): string =>
  `coalesce(octet_length(${column}::text) + ${fixed}, 0)`;

/**
 * Returns an upper bound for the size of the restored annotations, pages and details, in bytes. The
 * real size is smaller, because JSON text is longer than the columns. Details are counted twice,
 * because they are stored in two tables.
 */
export const RETURNED_BYTES = `
  SELECT coalesce(sum(
    octet_length(annotations::text) + ${ANNOTATION_BYTES} * json_array_length(annotations)
    + ${bytesOfText('own_page', OWN_PAGE_BYTES)} + 2 * ${bytesOfText('details', DETAILS_BYTES)}), 0)::float8 AS bytes
  ${TAKEN} WHERE ${OF_ITEMS}`;

/**
 * Restores the 31-bit ids (`number`) of items, because some clients recognize an item by this id. This is raw SQL,
 * because the ids come from JSON.
 */
export const RETURN_NUMBERS = `
  UPDATE items SET number = (deleted.item->>'number')::integer FROM deleted_items deleted
  WHERE deleted.user_id = $1 AND deleted.item_id = ANY ($2::bigint[])
    AND items.user_id = deleted.user_id AND items.item_id = deleted.item_id`;

const KEPT_COLUMNS = ['item', 'annotations', 'own_page', 'position', 'details'];

/**
 * Deletes the oldest copies of a user, so that the total size of the newer copies is at most $2 bytes. The window
 * function sums the sizes from the newest to the oldest copy. PostgreSQL knows the sizes on disk without reading the
 * values.
 */
export const CUT_DELETED = `
  DELETE FROM deleted_items WHERE user_id = $1 AND item_id IN (
    SELECT item_id FROM (
      SELECT item_id, sum(${KEPT_COLUMNS.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ')})
        OVER (ORDER BY deleted_at DESC, item_id) AS bytes
      FROM deleted_items WHERE user_id = $1) sized
    WHERE bytes > $2)`;

export const FORGET_DELETED = `${OVER_ALL_USERS} DELETE FROM deleted_items WHERE deleted_at < $1`;
