import { ITEM_COLUMNS } from '../entities/item.entity.js';
import { DEFAULT_ITEM } from './deleted-item.sql.js';

/** The time of a deletion in microseconds since 1970, which identifies a position in the trash. */
const MICROSECONDS = (column: string): string =>
  `(extract(epoch FROM ${column}) * 1000000)::bigint`;

const timeOf = (microseconds: string): string =>
  `timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond'`;

/**
 * Selects a page of the trash. The copies are limited before their JSON is read. $2 and $3 are the
 * time and the item id of the position before the page, $4 the number of items.
 */
const pageOfTrash = (comparison: '<' | '>', direction: 'DESC' | 'ASC'): string => `
  SELECT ${ITEM_COLUMNS.map((column) => `item.${column}`).join(', ')},
    deleted.deleted_at, ${MICROSECONDS('deleted.deleted_at')}::text AS deleted_microseconds,
    EXISTS (SELECT FROM items here
      WHERE here.user_id = $1 AND here.item_id = deleted.item_id) AS is_in_list
  FROM (SELECT item_id, deleted_at, item FROM deleted_items
    WHERE user_id = $1 AND (deleted_at, item_id) ${comparison} (${timeOf('$2')}, $3::bigint)
    ORDER BY deleted_at ${direction}, item_id ${direction} LIMIT $4) deleted
  CROSS JOIN LATERAL json_populate_record(${DEFAULT_ITEM}, deleted.item) item
  ORDER BY deleted.deleted_at ${direction}, deleted.item_id ${direction}`;

export const OLDER_IN_TRASH = pageOfTrash('<', 'DESC');
export const NEWER_IN_TRASH = pageOfTrash('>', 'ASC');

/** Selects the number of items in the trash, their size, and the time of the latest deletion. */
export const SUMMARY_OF_TRASH = `
  SELECT count(*)::int AS items, coalesce(sum(bytes), 0)::float8 AS bytes,
    coalesce(${MICROSECONDS('max(deleted_at)')}, 0)::text AS latest
  FROM deleted_items WHERE user_id = $1`;

export const DELETE_FROM_TRASH = `
  DELETE FROM deleted_items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
  RETURNING item_id::text AS "itemId", bytes::float8 AS bytes`;

/** Deletes the oldest copies up to the time $2, in microseconds since 1970, and at most $3 of them. */
export const EMPTY_TRASH = `
  DELETE FROM deleted_items WHERE user_id = $1 AND item_id IN (
    SELECT item_id FROM deleted_items WHERE user_id = $1 AND deleted_at <= ${timeOf('$2')}
    ORDER BY deleted_at, item_id LIMIT $3)
  RETURNING item_id::text AS "itemId", bytes::float8 AS bytes`;
