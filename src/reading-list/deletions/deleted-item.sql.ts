import { defaultsOf } from '../../platform/database/entity-columns.js';
import type { UsersQuery } from '../../platform/database/living-servers.js';
import { OVER_ALL_USERS } from '../../platform/database/query-rows.js';
import { Annotation } from '../entities/annotation.entity.js';
import { Item } from '../entities/item.entity.js';
import { ANNOTATION_SIZE, DETAILS_SIZE, ITEM_SIZE, OWN_PAGE_SIZE } from '../storage/storage.sql.js';
import {
  ANNOTATION_BYTES,
  DETAILS_BYTES,
  OWN_PAGE_BYTES,
  TAG_BYTES,
} from '../storage/stored-size.js';

/**
 * Selects the pages that belong only to one of the items $2, as JSON text. This is a separate
 * statement, because pages and lists may be on different database servers.
 */
export const OWN_PAGES = `
  SELECT item_id AS "itemId", row_to_json(page)::text AS page, (${OWN_PAGE_SIZE})::bigint AS bytes FROM pages page
  WHERE owner_id = $1 AND item_id = ANY ($2::bigint[])`;

const bytesBeside = (size: string, table: string): string =>
  `(SELECT coalesce(sum(${size}), 0) FROM ${table} one WHERE one.user_id = $1 AND one.item_id = item.item_id)`;

/**
 * Returns a SQL expression for a row with default values. The defaults replace columns that are
 * missing in a copy from an earlier version of Satchel.
 */
const rowOfDefaults = (table: string, defaults: object): string =>
  `json_populate_record(NULL::${table}, '${JSON.stringify(defaults).replaceAll("'", "''")}')`;

export const DEFAULT_ITEM = rowOfDefaults('items', defaultsOf(Item));
const DEFAULT_ANNOTATION = rowOfDefaults('annotations', defaultsOf(Annotation));

/**
 * The annotations of an item, and those of an earlier copy in the trash. The user may have saved the page again without
 * them.
 */
const MARKED = `
  SELECT coalesce(json_agg(one), '[]') AS annotations, coalesce(sum(${ANNOTATION_SIZE}), 0) AS bytes FROM (
    SELECT own.* FROM annotations own WHERE own.user_id = $1 AND own.item_id = item.item_id
    UNION ALL
    SELECT kept.* FROM json_populate_recordset(${DEFAULT_ANNOTATION}, earlier.annotations) kept
    WHERE NOT EXISTS (SELECT FROM annotations own WHERE own.user_id = $1 AND own.item_id = item.item_id
      AND own.annotation_id = kept.annotation_id)) one`;

/** The note and the tags of an earlier copy, if the item has none. */
const INHERITED = `
  SELECT CASE WHEN item.note = '' THEN coalesce(earlier.item_row->>'note', '') ELSE '' END AS earlier_note,
    CASE WHEN item.tags = '{}' AND earlier.item_row IS NOT NULL
      THEN array(SELECT json_array_elements_text(earlier.item_row->'tags')) ELSE '{}'::text[] END AS earlier_tags`;

/**
 * Copies complete rows of deleted items as JSON, so that columns of later versions of Satchel are
 * copied too. $2 are item ids. $3 are ids of items with a page that belongs only to the item, $4 are
 * the rows of these pages, and $5 their sizes. Returns the size of each copy.
 *
 * A copy replaces an earlier copy of the same page, but keeps what the user has written there. Each subquery compares
 * the user with $1, because Citus would read all servers for a user in another row.
 *
 * The statement follows the lock on the list, so its time is later than the times of all earlier
 * deletions. The time of the transaction may be earlier: the transaction waits for the lock.
 */
export const KEEP_DELETED = `
  INSERT INTO deleted_items (user_id, item_id, deleted_at, item, annotations, own_page, position, details, bytes)
  SELECT item.user_id, item.item_id, statement_timestamp(),
    CASE WHEN earlier.item_row IS NULL THEN row_to_json(item) ELSE (to_jsonb(item) || jsonb_build_object(
      'note', item.note || earlier_note, 'tags', item.tags || earlier_tags))::json END,
    marked.annotations,
    (SELECT page::json FROM unnest($3::bigint[], $4::text[]) own (id, page) WHERE own.id = item.item_id),
    coalesce((SELECT row_to_json(place) FROM reading_positions place
      WHERE place.user_id = $1 AND place.item_id = item.item_id), earlier.position),
    (SELECT row_to_json(details) FROM item_details details
     WHERE details.user_id = $1 AND details.item_id = item.item_id),
    ${ITEM_SIZE} + octet_length(earlier_note) + ${TAG_BYTES} * cardinality(earlier_tags)
      + marked.bytes + ${bytesBeside(DETAILS_SIZE, 'item_details')}
      + coalesce((SELECT size FROM unnest($3::bigint[], $5::bigint[]) own (id, size) WHERE own.id = item.item_id), 0)
  FROM items item
  LEFT JOIN LATERAL (SELECT copy.item AS item_row, copy.annotations, copy.position FROM deleted_items copy
    WHERE copy.user_id = $1 AND copy.item_id = item.item_id) earlier ON true
  CROSS JOIN LATERAL (${MARKED}) marked CROSS JOIN LATERAL (${INHERITED}) inherited
  WHERE item.user_id = $1 AND item.item_id = ANY ($2::bigint[])
  ON CONFLICT (user_id, item_id) DO UPDATE SET deleted_at = excluded.deleted_at, item = excluded.item,
    annotations = excluded.annotations, own_page = excluded.own_page, position = excluded.position,
    details = excluded.details, bytes = excluded.bytes
  RETURNING bytes::float8 AS bytes`;

/** Selects the size of the copies of items that are in the list. $2 are item ids. */
export const TRASHED_BYTES = `
  SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM deleted_items deleted
  WHERE deleted.user_id = $1 AND deleted.item_id = ANY ($2::bigint[]) AND EXISTS (
    SELECT FROM items here WHERE here.user_id = $1 AND here.item_id = deleted.item_id)`;

/** Selects the deleted items that are not in the list again. Returns the columns of `items`. */
export const FIND_DELETED = `
  SELECT item.* FROM deleted_items deleted
  CROSS JOIN LATERAL json_populate_record(${DEFAULT_ITEM}, deleted.item) item
  WHERE deleted.user_id = $1 AND deleted.item_id = ANY ($2::bigint[]) AND NOT EXISTS (
    SELECT FROM items here WHERE here.user_id = $1 AND here.item_id = deleted.item_id)`;

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
  ON CONFLICT DO NOTHING
  RETURNING page_id AS "pageId"`;

/** Lets the pictures of the pages $1 be listed again, because the links to them were deleted with the pages. */
export const UNLIST_PICTURES = `UPDATE pages SET pictures_at = NULL WHERE page_id = ANY ($1::bigint[])`;

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

/** The same users on one server, if another server is unreachable. */
export const ownersOfExpiredOnOneServer = (
  before: Date,
  afterUserId: string,
  limit: number,
): UsersQuery => ({
  table: 'deleted_items',
  text: (part: string): string => `
    SELECT DISTINCT user_id FROM ${part}
    WHERE deleted_at < '${before.toISOString()}' AND user_id > ${BigInt(afterUserId)} ORDER BY user_id LIMIT ${limit}`,
});

/** Selects users with copies that were created before $1. $2 is the last user of the previous batch, $3 the limit. */
export const OWNERS_OF_EXPIRED = `${OVER_ALL_USERS}
  SELECT DISTINCT user_id AS "userId" FROM deleted_items
  WHERE deleted_at < $1 AND user_id > $2 ORDER BY user_id LIMIT $3`;
