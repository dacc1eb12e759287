import { isLeased, isUnleased } from '../../platform/jobs/lease.sql.js';
import { queueStatement } from '../../platform/jobs/queue-state.js';
import { BUSY_HOSTS, PAGES_PER_HOST } from '../resolver/resolution.sql.js';

/*
 * The statements are raw SQL, because TypeORM has no SKIP LOCKED in updates, and no upsert that returns existing rows.
 * All times use the clock of the database, as in the page queue.
 */

/** The number of pictures that one transaction removes from the queue. */
const FORGOTTEN_AT_ONCE = 500;
/** The number of pictures that one step of a sweep checks. */
const CHECKED_AT_ONCE = 1000;
/** The number of newest pictures that a claim checks before it searches host by host. */
const NEWEST_CHECKED = 100;
/** The number of failed attempts after which a picture is given up. The last one is about four days after the first. */
export const MAX_ATTEMPTS = 6;
/** The pause after the first failed attempt. Each further pause is four times as long. */
const FIRST_PAUSE = `interval '15 minutes'`;
/** The time until a lease ends. It is far longer than a fetch and a conversion, so leases are never renewed. */
const LEASE = `interval '5 minutes'`;

const keyOf = (url: string): string => `sha256(convert_to(${url}, 'UTF8'))`;

/** The queue of pictures to fetch. */
export const PICTURE_QUEUE = queueStatement({
  queue: 'pictures',
  rows: 'pictures WHERE due_at <= now()',
  oldest: 'SELECT min(due_at) FROM pictures WHERE due_at <= now()',
});

/** Selects those of the pages in the array $1 that were fetched after their pictures were listed. */
export const LOCK_UNLISTED = `
    SELECT page_id AS "pageId", content->'item'->'media'->'images' AS images, content->'item'->>'topImageUrl' AS "topImageUrl"
    FROM pages WHERE page_id = ANY ($1::bigint[]) AND fetched_at IS DISTINCT FROM pictures_at
    ORDER BY page_id FOR NO KEY UPDATE`;

/**
 * Adds pictures. A picture that was given up gets new attempts. The update also locks existing pictures, so that they
 * are not deleted meanwhile. $1 are addresses, $2 their hosts.
 */
export const ADD_PICTURES = `
    INSERT INTO pictures AS picture (url_key, url, host)
    SELECT ${keyOf('url')} AS url_key, url, host FROM unnest($1::text[], $2::text[]) AS added (url, host)
    ORDER BY url_key
    ON CONFLICT (url_key) DO UPDATE SET
      attempts = CASE WHEN picture.image IS NULL AND picture.due_at IS NULL THEN 0 ELSE picture.attempts END
    RETURNING picture_id AS "pictureId", url`;

export const UNLINK_PAGES = `DELETE FROM page_pictures WHERE page_id = ANY ($1::bigint[])`;

/** $1 are pages, $2 the picture of each page. */
export const LINK_PAGES = `
    INSERT INTO page_pictures (page_id, picture_id) SELECT DISTINCT * FROM unnest($1::bigint[], $2::bigint[])`;

export const MARK_LISTED = `UPDATE pages SET pictures_at = fetched_at WHERE page_id = ANY ($1::bigint[])`;

export const IS_CLAIMABLE = `due_at <= now() AND ${isUnleased('leased_until')}`;

/** Selects the hosts of which the maximum number of pictures is being fetched. */
export const BUSY_PICTURE_HOSTS = `
      SELECT host FROM pictures WHERE ${isLeased('leased_until')} GROUP BY host HAVING count(*) >= ${PAGES_PER_HOST}`;

/** Returns a statement that leases the picture with the id `which`, an SQL expression. */
export const leasePicture = (which: string): string => `
    UPDATE pictures SET attempts = attempts + 1, leased_until = now() + ${LEASE}
    WHERE picture_id = (${which})
    RETURNING picture_id AS "pictureId", url, attempts`;

/**
 * Leases the newest due picture whose host is not busy. If all of the newest pictures are of busy hosts, takes the first
 * host that is not busy. Reads the hosts one by one from an index, because a busy host can have hundreds of thousands of
 * pictures, and claims of pages wait for this statement.
 */
export const CLAIM_PICTURE = `
    WITH RECURSIVE busy AS MATERIALIZED (${BUSY_HOSTS}
      UNION ALL${BUSY_PICTURE_HOSTS}),
    newest AS MATERIALIZED (
      SELECT picture_id, host, due_at FROM pictures WHERE ${IS_CLAIMABLE} ORDER BY due_at DESC LIMIT ${NEWEST_CHECKED}),
    hosts AS (
      (SELECT host FROM pictures WHERE due_at IS NOT NULL ORDER BY host LIMIT 1)
      UNION ALL
      SELECT (SELECT host FROM pictures WHERE due_at IS NOT NULL AND pictures.host > hosts.host ORDER BY host LIMIT 1)
      FROM hosts WHERE hosts.host IS NOT NULL)
    ${leasePicture(`SELECT coalesce(
      (SELECT picture_id FROM newest WHERE host NOT IN (SELECT host FROM busy) ORDER BY due_at DESC LIMIT 1),
      (SELECT due.picture_id FROM hosts, LATERAL (
        SELECT picture_id FROM pictures WHERE host = hosts.host AND ${IS_CLAIMABLE} ORDER BY due_at DESC LIMIT 1) AS due
      WHERE EXISTS (SELECT FROM newest) AND hosts.host NOT IN (SELECT host FROM busy) LIMIT 1))`)}`;

/** Stores the image $2 of the picture $1. */
export const STORE_IMAGE = `
    UPDATE pictures SET image = $2, due_at = NULL, leased_until = NULL WHERE picture_id = $1 AND image IS NULL
    RETURNING picture_id`;

/** Schedules another attempt for the picture $1, or gives it up. */
export const POSTPONE_PICTURE = `
    UPDATE pictures SET leased_until = NULL,
      due_at = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN now() + ${FIRST_PAUSE} * 4 ^ (attempts - 1) END
    WHERE picture_id = $1 AND image IS NULL
    RETURNING due_at IS NULL AS "isGivenUp"`;

/** Releases the lease of the picture $1 without counting the attempt. */
export const RELEASE_PICTURE = `
    UPDATE pictures SET leased_until = NULL, attempts = attempts - 1
    WHERE picture_id = $1 AND image IS NULL AND leased_until IS NOT NULL AND attempts > 0`;

/** Selects the pictures of the addresses $1 that are stored. */
export const FIND_STORED = `
    SELECT picture_id AS "pictureId", url, get_byte(image, 0) AS "firstByte" FROM pictures
    WHERE url_key IN (SELECT ${keyOf('url')} FROM unnest($1::text[]) AS wanted (url)) AND length(image) > 0`;

/** Selects the stored image of an address. $1 is the address. */
export const FIND_IMAGE = `SELECT image FROM pictures WHERE url_key = ${keyOf('$1::text')} AND image IS NOT NULL`;

/** The condition that a picture is in no stored page, and in no private page of an item in the trash. */
const IS_UNUSED = `NOT EXISTS (SELECT FROM page_pictures WHERE page_pictures.picture_id = pictures.picture_id)
        AND NOT EXISTS (SELECT FROM trashed_pictures WHERE trashed_pictures.picture_id = pictures.picture_id)`;

/**
 * Checks the next pictures after the picture $1. Returns the last of them, those that are in no page, and the size of
 * the others.
 */
export const CHECK_NEXT = `
    SELECT max(picture_id) AS last, coalesce(array_agg(picture_id) FILTER (WHERE is_unused), '{}') AS unused,
      coalesce(sum(bytes) FILTER (WHERE NOT is_unused), 0)::float8 AS bytes
    FROM (
      SELECT picture_id, octet_length(image) AS bytes,
        ${IS_UNUSED} AS is_unused
      FROM pictures WHERE picture_id > $1 ORDER BY picture_id LIMIT ${CHECKED_AT_ONCE}) AS checked`;

/** Locks the pictures of the array $1, except those that a page is getting now. */
export const LOCK_UNUSED = `
    SELECT picture_id AS "pictureId" FROM pictures WHERE picture_id = ANY ($1::bigint[]) FOR UPDATE SKIP LOCKED`;

/**
 * Deletes the locked pictures of the array $1 that still are in no page. Checks again, because a page may have added a
 * picture after the check and before the lock.
 */
export const DELETE_UNUSED = `
    DELETE FROM pictures WHERE picture_id = ANY ($1::bigint[])
      AND ${IS_UNUSED}`;

export const FIND_QUEUED = `
    SELECT picture_id AS "pictureId" FROM pictures WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${FORGOTTEN_AT_ONCE}`;

/** Lets the pages of the pictures of the array $1 be listed again, as soon as the setting is turned on again. */
export const UNLIST_PAGES = `
    UPDATE pages SET pictures_at = NULL
    WHERE page_id IN (SELECT page_id FROM page_pictures WHERE picture_id = ANY ($1::bigint[]))`;

/** Removes the pictures of the array $1 from the trash. The pages there are listed again when they are restored. */
export const UNLINK_TRASHED = `DELETE FROM trashed_pictures WHERE picture_id = ANY ($1::bigint[])`;

export const UNLINK_PICTURES = `DELETE FROM page_pictures WHERE picture_id = ANY ($1::bigint[])`;

/** Reads the length of each image without reading the image. */
export const MEASURE_PICTURES = `SELECT coalesce(sum(octet_length(image)), 0)::float8 AS bytes FROM pictures`;
