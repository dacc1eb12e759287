import { BUSY_HOSTS } from '../resolver/resolution.sql.js';
import { BUSY_PICTURE_HOSTS, IS_CLAIMABLE, leasePicture, MAX_ATTEMPTS } from './picture.sql.js';

/*
 * The statements are raw SQL, because TypeORM has no INSERT … SELECT, and no row comparison. All transactions lock the
 * list first, then pages, pictures, shares and the row in picture_users. This order prevents deadlocks.
 */

/** The number of items whose pictures one transaction lists. */
export const ITEMS_FOLLOWED = 20;
/** The number of pictures that one transaction counts. */
const COUNTED_AT_ONCE = 500;
/**
 * The number of newest pictures of a user that a claim checks. Some of them may be postponed, or of busy hosts, so a
 * small number would hide all older ones.
 */
const NEWEST_OF_USER = 1000;

/**
 * Lets only one transaction list pictures at a time. Transactions lock many pictures in different orders, so they would
 * deadlock.
 */
export const SERIALISE_LISTINGS = `SELECT pg_advisory_xact_lock(7270102)`;

/** Selects the next user after the user $1 with changes that are not handled. Excludes the users $2. */
export const NEXT_DUE_USER = `
    SELECT user_id AS "userId" FROM picture_users
    WHERE changes <> handled AND user_id > $1 AND user_id <> ALL ($2::bigint[]) ORDER BY user_id LIMIT 1`;

export const READ_PICTURE_USER = `
    SELECT changes, version, item_id AS "itemId", page_ids AS "pageIds", is_full AS "isFull"
    FROM picture_users WHERE user_id = $1`;

/** Selects the next changed items of the user $1 after the version $2 and the item $3. */
export const NEXT_ITEMS = `
    SELECT item_id AS "itemId", stamp AS version, resolved_id AS "pageId" FROM items
    WHERE user_id = $1 AND (stamp, item_id) > ($2::bigint, $3::bigint) ORDER BY stamp, item_id LIMIT ${ITEMS_FOLLOWED}`;

/** Locks the pictures of the pages in the array $1, so that none of them is stored until the transaction ends. */
export const LOCK_PICTURES = `
    SELECT picture_id AS "pictureId" FROM pictures
    WHERE picture_id IN (SELECT picture_id FROM page_pictures WHERE page_id = ANY ($1::bigint[]))
    ORDER BY picture_id FOR NO KEY UPDATE`;

/**
 * Adds those of the locked pictures of the array $2 to the shares of the user $1 that are stored. If $3 is true, adds
 * those that are queued too.
 */
export const ADD_SHARES = `
    INSERT INTO picture_shares (user_id, picture_id, bytes)
    SELECT $1, picture_id, octet_length(image) FROM pictures
    WHERE picture_id = ANY ($2::bigint[]) AND (image IS NOT NULL OR due_at IS NOT NULL AND $3::boolean)
    ON CONFLICT DO NOTHING`;

/** Queues those of the pictures in the array $1 that are neither stored nor given up. */
export const QUEUE_PICTURES = `
    UPDATE pictures SET due_at = now()
    WHERE picture_id = ANY ($1::bigint[]) AND image IS NULL AND due_at IS NULL AND attempts < ${MAX_ATTEMPTS}`;

/** Selects stored pictures that do not count towards the limit of the user $1 yet. */
export const UNCOUNTED_SHARES = `
    SELECT picture_id AS "pictureId", bytes FROM picture_shares
    WHERE user_id = $1 AND bytes IS NOT NULL AND NOT is_counted ORDER BY picture_id LIMIT ${COUNTED_AT_ONCE}`;

export const COUNT_SHARES = `
    UPDATE picture_shares SET is_counted = true WHERE user_id = $1 AND picture_id = ANY ($2::bigint[])`;

/** Stores how far the user $1 was followed. $2 is the handled value of `changes`, or null if work is left. */
export const RECORD_FOLLOWED = `
    UPDATE picture_users SET handled = coalesce($2::bigint, handled), version = $3, item_id = $4, page_ids = $5, is_full = $6
    WHERE user_id = $1`;

/** Deletes the shares of the user $1 whose pictures are not stored yet. */
export const DELETE_WANTED_OF_USER = `DELETE FROM picture_shares WHERE user_id = $1 AND bytes IS NULL`;

/** Lets the list of the user $1 be followed from its beginning. */
export const RESTART_USER = `
    UPDATE picture_users SET is_full = false, version = 0, item_id = 0, changes = changes + 1 WHERE user_id = $1`;

/** Lets all lists be followed from their beginning, as soon as the setting is turned on again. */
export const RESTART_ALL = `
    UPDATE picture_users SET is_full = false, version = 0, item_id = 0, changes = changes + 1
    WHERE (version, item_id) <> (0, 0)`;

/** Selects the next users after the user $1 whose storage is full. */
export const FULL_USERS = `
    SELECT user_id AS "userId" FROM picture_users WHERE is_full AND user_id > $1 ORDER BY user_id LIMIT 100`;

export const COUNT_FULL_USERS = `SELECT count(*)::int AS users FROM picture_users WHERE is_full`;

/** Notes the size $2 of the picture $1, which was just stored. Returns the users who want it. */
export const RECORD_SIZE = `
    UPDATE picture_shares SET bytes = $2 WHERE picture_id = $1 AND bytes IS NULL RETURNING user_id AS "userId"`;

/** Notes a change for the users of the array $1. */
export const NOTE_CHANGES = `
    UPDATE picture_users SET changes = changes + 1
    FROM (SELECT user_id FROM picture_users WHERE user_id = ANY ($1::bigint[]) ORDER BY user_id FOR UPDATE) locked
    WHERE picture_users.user_id = locked.user_id`;

/** Deletes the shares of the picture $1, which was given up. */
export const DELETE_WANTED = `DELETE FROM picture_shares WHERE picture_id = $1 AND bytes IS NULL`;

/**
 * Selects the users who have a picture of the array $1. Their stored size may include it before it is deleted, even if it
 * does not include it yet.
 */
export const COUNTING_USERS = `
    SELECT DISTINCT user_id AS "userId" FROM picture_shares WHERE picture_id = ANY ($1::bigint[]) ORDER BY user_id`;

/** Selects the next user after the user $1 who waits for pictures. */
export const NEXT_WAITING_USER = `
    SELECT user_id AS "userId" FROM picture_shares WHERE bytes IS NULL AND user_id > $1 ORDER BY user_id LIMIT 1`;

/** Leases one of the newest pictures that the user $1 waits for. */
export const CLAIM_OF_USER = `
    WITH busy AS MATERIALIZED (${BUSY_HOSTS}
      UNION ALL${BUSY_PICTURE_HOSTS}),
    newest AS MATERIALIZED (
      SELECT picture_id FROM picture_shares
      WHERE user_id = $1 AND bytes IS NULL ORDER BY picture_id DESC LIMIT ${NEWEST_OF_USER})
    ${leasePicture(`
      SELECT picture_id FROM pictures JOIN newest USING (picture_id)
      WHERE ${IS_CLAIMABLE} AND host NOT IN (SELECT host FROM busy) ORDER BY picture_id DESC LIMIT 1`)}`;

export const LOCK_PICTURE = `SELECT FROM pictures WHERE picture_id = $1 FOR NO KEY UPDATE`;

/** Removes the locked picture $1 from the queue if no user wants it. */
export const PARK_UNWANTED = `
    UPDATE pictures SET due_at = NULL, leased_until = NULL, attempts = attempts - 1
    WHERE picture_id = $1 AND image IS NULL
      AND NOT EXISTS (SELECT FROM picture_shares share WHERE share.picture_id = pictures.picture_id)
    RETURNING picture_id`;
