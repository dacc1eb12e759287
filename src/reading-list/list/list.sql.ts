import type { UsersQuery } from '../../platform/database/living-servers.js';
import { OVER_ALL_USERS } from '../../platform/database/query-rows.js';

/** The SQL expression of the next version of a locked list (docs/decisions/0042). */
export const NEXT_VERSION = `greatest(ceil(extract(epoch FROM clock_timestamp()))::bigint, stamp + 1)`;

/**
 * Locks the list and returns its next version: the current second, or the last version plus 1 if this is greater
 * (docs/decisions/0042). The clock is read after the row is locked, so no other transaction can get a version of this
 * list until this transaction ends (docs/decisions/0034). This is raw SQL, because TypeORM cannot compute a value after
 * the lock.
 */
export const LOCK_LIST = `
    SELECT ${NEXT_VERSION} AS "nextVersion",
           item_count AS "itemCount", additions::float8 AS additions, numbers, has_search_index AS "hasSearchIndex",
           stored_bytes::float8 AS "storedBytes", may_store_less AS "mayStoreLess",
           has_subscribers AS "hasSubscribers"
    FROM (SELECT * FROM lists WHERE user_id = $1 FOR UPDATE) locked`;

/**
 * Returns true if another transaction has locked the list. SKIP LOCKED checks the lock without waiting. Returns false
 * if the list does not exist.
 */
export const IS_LIST_LOCKED = `
    SELECT EXISTS (SELECT FROM lists WHERE user_id = $1) AND NOT EXISTS (
      SELECT FROM (SELECT FROM lists WHERE user_id = $1 FOR UPDATE SKIP LOCKED) free) AS "isLocked"`;

/**
 * Creates a list. Its first version is the smallest `since` that is valid after the last restore of the database. This
 * version is greater than every `since` that clients got before the restore (docs/decisions/0033). This is raw SQL,
 * because the version comes from a SELECT.
 */
export const CREATE_LIST = `
    INSERT INTO lists (user_id, stamp, stored_bytes) SELECT $1::bigint, coalesce(max(begins), 0), 0 FROM sync_eras
    ON CONFLICT (user_id) DO NOTHING`;

/**
 * Prevents the deletion of the user until the transaction ends. It is needed only if lists and users are on different
 * servers. On one server, a foreign key prevents the deletion. This is raw SQL, because TypeORM cannot lock a row
 * without loading it.
 */
export const KEEP_OWNER = `SELECT id FROM users WHERE id = $1 FOR KEY SHARE`;

/**
 * Sets the new version of a list and changes its counters. The counters of facets are elements of an array. If the size
 * was never measured, `stored_bytes` stays NULL.
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
    ON CONFLICT (user_id, item_id) DO UPDATE SET stamp = excluded.stamp, address_id = excluded.address_id, moved_to = NULL,
      is_undone = false`;

export const DELETE_TOMBSTONES = `DELETE FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/**
 * `lists` is the number of lists that one statement checks. `tombstones` is the maximum number of deletion records that
 * one statement removes from a list.
 */
export const PURGE_BATCH = { lists: 1000, tombstones: 1000 } as const;

/**
 * Returns the next lists in the order of their user ids, and whether each list has deletion records with a version
 * below $2. EXISTS needs one index lookup per list. This is raw SQL, because TypeORM does not support EXISTS in a
 * column.
 */
export const LISTS_TO_PURGE = `${OVER_ALL_USERS}
    SELECT user_id AS "userId", EXISTS (
      SELECT FROM tombstones t WHERE t.user_id = lists.user_id AND stamp < $2) AS "isDue"
    FROM lists WHERE user_id > $1 ORDER BY user_id LIMIT ${PURGE_BATCH.lists}`;

/** The next lists on one server that have deletion records with a version below $2, if another server is unreachable. */
export const listsToPurgeOnOneServer = (afterUserId: string, version: number): UsersQuery => ({
  table: 'tombstones',
  text: (part: string): string => `
    SELECT DISTINCT user_id FROM ${part}
    WHERE user_id > ${BigInt(afterUserId)} AND stamp < ${version} ORDER BY user_id LIMIT ${PURGE_BATCH.lists}`,
});

/**
 * Removes records of deleted items, the oldest first. The outer condition on `stamp` is necessary, because PostgreSQL
 * checks it again after it has locked a record. If the item was deleted again before the lock, its record has a newer
 * version and must stay.
 */
export const PURGE_TOMBSTONES = `
    DELETE FROM tombstones WHERE user_id = $1 AND stamp < $2 AND item_id IN (
      SELECT item_id FROM tombstones WHERE user_id = $1 AND stamp < $2
      ORDER BY stamp, item_id LIMIT ${PURGE_BATCH.tombstones})
    RETURNING item_id`;

/** Lets only one transaction begin an era at a time. The update of all lists must not wait for a hanging change. */
export const PREPARE_ERA = `
  SET LOCAL lock_timeout = '5s'; LOCK TABLE sync_eras IN SHARE ROW EXCLUSIVE MODE`;

/** Begins the era $1. Returns no row if an era after the time $2 has begun. */
export const BEGIN_ERA = `
  INSERT INTO sync_eras (begins)
  SELECT $1::bigint WHERE NOT EXISTS (SELECT FROM sync_eras WHERE begins > $2::bigint) RETURNING begins`;

/** Raises each list version to at least the beginning of the era $1. The update waits for changes that are running. */
export const RAISE_VERSIONS = `${OVER_ALL_USERS}
  UPDATE lists SET stamp = $1::bigint WHERE stamp < $1::bigint`;
