import { summaryColumns } from '../entities/list-summary.js';

/**
 * The logical second (docs/decisions/0042): never behind the clock, and later than every earlier change of the
 * list. The clock is read when the row is locked, not before: readers rely on it (docs/decisions/0034), and on this
 * lock suffering no other beside it, not even that of a transaction which refers to the list. TypeORM cannot say that
 * something is computed after the lock.
 */
export const LOCK_LIST = `
    SELECT greatest(ceil(extract(epoch FROM clock_timestamp()))::bigint, stamp + 1) AS "nextVersion",
           item_count AS "itemCount", additions::float8 AS additions, numbers, has_search_index AS "hasSearchIndex"
    FROM (SELECT * FROM lists WHERE user_id = $1 FOR UPDATE) locked`;

/** SKIP LOCKED looks without waiting. A list that does not exist yet is not locked. */
export const IS_LIST_LOCKED = `
    SELECT EXISTS (SELECT FROM lists WHERE user_id = $1) AND NOT EXISTS (
      SELECT FROM (SELECT FROM lists WHERE user_id = $1 FOR UPDATE SKIP LOCKED) free) AS "isLocked"`;

/** INSERT from a SELECT: its changes come after all that clients know from before a restore (docs/decisions/0033). */
export const CREATE_LIST = `
    INSERT INTO lists (user_id, stamp) SELECT $1::bigint, coalesce(max(begins), 0) FROM sync_eras
    ON CONFLICT (user_id) DO NOTHING`;

/** The counters move within their array. */
export const MOVE_COUNTERS = `
    UPDATE lists
    SET stamp = $2, additions = additions + $3::integer, item_count = item_count + $4::integer,
        has_search_index = $5::boolean,
        facet_counts = array(
          SELECT count + by FROM unnest(facet_counts, $6::integer[]) WITH ORDINALITY AS facet (count, by, place)
          ORDER BY place),
        numbers = numbers + $7::integer
    WHERE user_id = $1`;

/** Gives a row also for a user without a list. */
export const SUMMARISE_LIST = `SELECT ${summaryColumns('list')} FROM (VALUES ($1::bigint)) AS owner (user_id) LEFT JOIN lists list USING (user_id)`;

/** A tombstone has ids and a version only; unnest writes any number of rows. */
export const WRITE_TOMBSTONES = `
    INSERT INTO tombstones (user_id, item_id, stamp) SELECT $1, item_id, $2 FROM unnest($3::bigint[]) AS item_id
    ON CONFLICT (user_id, item_id) DO UPDATE SET stamp = excluded.stamp`;

export const DELETE_TOMBSTONES = `DELETE FROM tombstones WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** Lists in a batch, and tombstones of each: a statement stays short however many there are. */
export const PURGE_BATCH = { lists: 50, tombstones: 1000 } as const;

/** LATERAL reads the oldest of each list from its index. Deleting again gives a tombstone a new version, which is looked at once more under its lock. */
export const PURGE_TOMBSTONES = `
    WITH batch AS (SELECT user_id FROM lists WHERE user_id > $1 ORDER BY user_id LIMIT ${PURGE_BATCH.lists}),
      expired AS (SELECT batch.user_id, item_id FROM batch, LATERAL (
        SELECT item_id FROM tombstones WHERE user_id = batch.user_id AND stamp < $2
        ORDER BY stamp, item_id LIMIT ${PURGE_BATCH.tombstones}) oldest),
      gone AS (DELETE FROM tombstones USING expired
        WHERE tombstones.user_id = expired.user_id AND tombstones.item_id = expired.item_id AND stamp < $2)
    SELECT max(user_id) AS last, (SELECT count(*)::int FROM expired) AS purged FROM batch`;
