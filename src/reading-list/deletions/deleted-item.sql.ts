import { OVER_ALL_USERS } from '../../platform/database/query-rows.js';
import { ANNOTATION_BYTES, DETAILS_BYTES, OWN_PAGE_BYTES } from '../storage/stored-size.js';

/**
 * Reads the pages in a separate statement, because pages and lists may be on different servers. $2 are item ids.
 * Returns the rows as text, in the form in which copies contain them.
 */
export const OWN_PAGES = `
  SELECT item_id AS "itemId", row_to_json(page)::text AS page FROM pages page
  WHERE owner_id = $1 AND item_id = ANY ($2::bigint[])`;

/**
 * Stores the rows of deleted items as JSON. A later version of the service restores the values of its added columns
 * too. $2 are item ids, $3 the ids of items with private pages, $4 the rows of these pages.
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

/** A template row with an empty note, for copies of items from before the column `note` existed. */
const ITEM_WITHOUT_NOTE = `json_populate_record(NULL::items, '{"note": ""}')`;

/** Returns the rows of deleted items that are not in the list again, with the columns of `items`. */
export const FIND_DELETED = `
  SELECT item.* FROM deleted_items deleted
  CROSS JOIN LATERAL json_populate_record(${ITEM_WITHOUT_NOTE}, deleted.item) item
  WHERE deleted.user_id = $1 AND deleted.item_id = ANY ($2::bigint[]) AND NOT EXISTS (
    SELECT FROM items here WHERE here.user_id = deleted.user_id AND here.item_id = deleted.item_id)`;

/** A template row with an empty note, for copies of annotations from before the column `note` existed. */
const WITHOUT_NOTE = `json_populate_record(NULL::annotations, '{"note": ""}')`;

/*
 * These statements restore rows after their items are in the list again. They are in SQL because rows from JSON are not
 * entities. They are separate because a distributed engine runs CTEs one after the other, on servers that may differ.
 */

const TAKEN = 'FROM deleted_items taken';
const OF_ITEMS = 'taken.user_id = $1 AND taken.item_id = ANY ($2::bigint[])';

export const RETURN_ANNOTATIONS = `
  INSERT INTO annotations SELECT annotation.*
  ${TAKEN} CROSS JOIN LATERAL json_populate_recordset(${WITHOUT_NOTE}, taken.annotations) annotation
  WHERE ${OF_ITEMS} ON CONFLICT DO NOTHING`;

export const RETURN_POSITIONS = `
  INSERT INTO reading_positions SELECT place.*
  ${TAKEN} CROSS JOIN LATERAL json_populate_record(NULL::reading_positions, taken.position) place
  WHERE ${OF_ITEMS} AND taken.position IS NOT NULL ON CONFLICT DO NOTHING`;

export const RETURN_DETAILS = `
  INSERT INTO item_details SELECT details.*
  ${TAKEN} CROSS JOIN LATERAL json_populate_record(NULL::item_details, taken.details) details
  WHERE ${OF_ITEMS} AND taken.details IS NOT NULL ON CONFLICT DO NOTHING`;

/** Returns the page rows in the copies, which OWN_PAGES returned when the items were deleted. */
export const KEPT_PAGES = `SELECT own_page::text AS page ${TAKEN} WHERE ${OF_ITEMS} AND own_page IS NOT NULL`;

/** Restores pages. $1 are rows from KEPT_PAGES. */
export const RETURN_PAGES = `
  INSERT INTO pages OVERRIDING SYSTEM VALUE
  SELECT page.* FROM unnest($1::text[]) kept CROSS JOIN LATERAL json_populate_record(NULL::pages, kept::json) page
  ON CONFLICT DO NOTHING`;

const bytesOfText = (column: string, fixed: number): string =>
  `coalesce(octet_length(${column}::text) + ${fixed}, 0)`;

/**
 * Returns the maximum size of all restored data except the items. The size is an upper limit, because JSON is longer
 * than the columns. Details count twice because they are in two tables.
 */
export const RETURNED_BYTES = `
  SELECT coalesce(sum(
    octet_length(annotations::text) + ${ANNOTATION_BYTES} * json_array_length(annotations)
    + ${bytesOfText('own_page', OWN_PAGE_BYTES)} + 2 * ${bytesOfText('details', DETAILS_BYTES)}), 0)::float8 AS bytes
  ${TAKEN} WHERE ${OF_ITEMS}`;

/**
 * Restores the numbers of items, so that clients recognize each item. The statement is in SQL because rows from JSON
 * are not entities.
 */
export const RETURN_NUMBERS = `
  UPDATE items SET number = (deleted.item->>'number')::integer FROM deleted_items deleted
  WHERE deleted.user_id = $1 AND deleted.item_id = ANY ($2::bigint[])
    AND items.user_id = deleted.user_id AND items.item_id = deleted.item_id`;

const KEPT_COLUMNS = ['item', 'annotations', 'own_page', 'position', 'details'];

/**
 * Deletes the oldest copies beyond a total size. A window function adds up the sizes, beginning with the latest copy.
 * The sizes on disk are known without reading the values.
 */
export const CUT_DELETED = `
  DELETE FROM deleted_items WHERE user_id = $1 AND item_id IN (
    SELECT item_id FROM (
      SELECT item_id, sum(${KEPT_COLUMNS.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ')})
        OVER (ORDER BY deleted_at DESC, item_id) AS bytes
      FROM deleted_items WHERE user_id = $1) sized
    WHERE bytes > $2)`;

export const FORGET_DELETED = `${OVER_ALL_USERS} DELETE FROM deleted_items WHERE deleted_at < $1`;
