import { OVER_ALL_USERS } from '../../platform/database/query-rows.js';

/**
 * Locks the list and returns its next version: the current second, or the last version plus 1 if this is later
 * (docs/decisions/0042). The clock is read after the row is locked, and no other transaction can lock the row meanwhile
 * (docs/decisions/0034). This is raw SQL, because TypeORM cannot compute a value after the lock.
 */
export const LOCK_LIST = `
    SELECT greatest(ceil(extract(epoch FROM clock_timestamp()))::bigint, stamp + 1) AS "nextVersion",
           item_count AS "itemCount", additions::float8 AS additions, numbers, has_search_index AS "hasSearchIndex",
           stored_bytes::float8 AS "storedBytes", may_store_less AS "mayStoreLess"
    FROM (SELECT * FROM lists WHERE user_id = $1 FOR UPDATE) locked`;

/**
 * Returns true if the list is locked. SKIP LOCKED checks the lock without waiting. A list that does not exist is not
 * locked.
 */
export const IS_LIST_LOCKED = `
    SELECT EXISTS (SELECT FROM lists WHERE user_id = $1) AND NOT EXISTS (
      SELECT FROM (SELECT FROM lists WHERE user_id = $1 FOR UPDATE SKIP LOCKED) free) AS "isLocked"`;

/**
 * Creates a list. Its first version is the smallest `since` that is valid after the latest database restore, so that it
 * exceeds every earlier `since` (docs/decisions/0033). This is raw SQL, because the version comes from a SELECT.
 */
export const CREATE_LIST = `
    INSERT INTO lists (user_id, stamp, stored_bytes) SELECT $1::bigint, coalesce(max(begins), 0), 0 FROM sync_eras
    ON CONFLICT (user_id) DO NOTHING`;

/**
 * Stops the user from being deleted until the transaction ends. If lists and users are on the same server, a foreign
 * key does this. This is raw SQL, because TypeORM cannot lock a row without loading it.
 */
export const KEEP_OWNER = `SELECT id FROM users WHERE id = $1 FOR KEY SHARE`;

/**
 * Changes the counters of a list. The facet counters are elements of an array. A size that was never measured stays
 * null.
 */
export const MOVE_COUNTERS = `
    UPDATE lists
    SET stamp = $2, additions = additions + $3::integer, item_count = item_count + $4::integer,
        has_search_index = $5::boolean,
        facet_counts = array(
          SELECT count + by FROM unnest(facet_counts, $6::integer[]) WITH ORDINALITY AS facet (count, by, place)
          ORDER BY place),
        numbers = numbers + $7::integer,
        stored_bytes = stored_bytes + $8::bigint, may_store_less = may_store_less OR $9::boolean
    WHERE user_id = $1`;

/**
 * Changes only the stored size of a list. It is used for changes that do not appear in API responses and so need no new
 * list version.
 */
export const MOVE_STORAGE = `
    UPDATE lists SET stored_bytes = stored_bytes + $2::bigint, may_store_less = may_store_less OR $3::boolean
    WHERE user_id = $1`;

/**
 * Writes the records of deleted items. This is raw SQL with `unnest`, so that one statement can write any number of
 * rows.
 */
export const WRITE_TOMBSTONES = `
    INSERT INTO tombstones (user_id, item_id, stamp, address_id)
    SELECT $1, item_id, $2, address_id FROM unnest($3::bigint[], $4::bigint[]) AS row (item_id, address_id)
    ON CONFLICT (user_id, item_id) DO UPDATE SET stamp = excluded.stamp, address_id = excluded.address_id`;

export const DELETE_TOMBSTONES = `DELETE FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/**
 * The number of lists that one statement checks. Also the maximum number of deletion records that one statement removes
 * from a list.
 */
export const PURGE_BATCH = { lists: 1000, tombstones: 1000 } as const;

/**
 * Returns the next lists to check, and whether each list has deletion records that are older than the version. EXISTS
 * needs one index lookup per list. This is raw SQL, because TypeORM does not support EXISTS in a column.
 */
export const LISTS_TO_PURGE = `${OVER_ALL_USERS}
    SELECT user_id AS "userId", EXISTS (
      SELECT FROM tombstones t WHERE t.user_id = lists.user_id AND stamp < $2) AS "isDue"
    FROM lists WHERE user_id > $1 ORDER BY user_id LIMIT ${PURGE_BATCH.lists}`;

/**
 * Removes records of deleted items, the oldest first. The outer condition is checked again under the row lock, because
 * a second deletion of the item may have given the record a new version.
 */
export const PURGE_TOMBSTONES = `
    DELETE FROM tombstones WHERE user_id = $1 AND stamp < $2 AND item_id IN (
      SELECT item_id FROM tombstones WHERE user_id = $1 AND stamp < $2
      ORDER BY stamp, item_id LIMIT ${PURGE_BATCH.tombstones})
    RETURNING item_id`;
