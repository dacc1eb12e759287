import { OVER_ALL_USERS } from '../../platform/database/query-rows.js';
import { PagePriority } from '../../reading-list/list/page-requests.js';

/** Read at once, by all instances. */
export const PAGES_PER_HOST = 2;
/** Saving a page that was read longer ago has it read again. */
const FRESH = `interval '30 days'`;
/** Before the second attempt to read a page; each later pause is longer by the factor. */
export const FIRST_PAUSE_SECONDS = 60;
export const PAUSE_FACTOR = 4;
/** A page that was given up is not tried again before, however often it is saved. */
export const GIVEN_UP_SECONDS = 3600;
/** A user who asks for another attempt gets it so long after the last one, and not before. */
const LEAST_PAUSE = `interval '60 seconds'`;
/** Longer than reading a page may take: when a lease ends, its worker has crashed. */
const LEASE = `interval '60 seconds'`;
/** The end of a lease that is taken or renewed now. */
export const LEASE_END = `now() + ${LEASE}`;

/**
 * Claims are made one after the other, so that their counts of busy pages are right; TypeORM has no advisory locks. Their
 * commits do not wait for the disk or a standby: a claim that a crash of the database loses is made again.
 */
export const SERIALISE_CLAIMS = `
    SELECT set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(7270101)`;

/** Hosts that must not be asked now: they have asked for a pause, or as many of their pages are being read as may be. */
const BUSY_HOSTS = `
      SELECT host FROM host_pauses WHERE until > now()
      UNION ALL
      SELECT host FROM pages WHERE leased_until > now() GROUP BY host HAVING count(*) >= ${PAGES_PER_HOST}`;

/** The busy hosts are found once for all rows, since thousands of pages of one may be first in the queue. */
const READABLE = `r.page_id IS NULL AND r.host NOT IN (${BUSY_HOSTS})
      AND (page.page_id IS NULL OR (coalesce(page.leased_until, '-infinity') < now() AND coalesce(page.retry_at, '-infinity') <= now()))`;

const REQUESTS = `page_requests r LEFT JOIN pages page ON page.page_key = r.page_key`;

/** The next one to be tried again, of one priority, so that bulk imports delay no saved page. */
const postponed = (priority: number): string => `
      (SELECT r.* FROM ${REQUESTS} WHERE ${READABLE} AND r.priority = ${priority} AND r.retry_at <= now()
       ORDER BY r.retry_at LIMIT 1)`;

/** The first page of those that were not tried yet and those that are due for a retry. */
const NEXT = `
    SELECT page_key, url, host, user_id FROM (
      (SELECT r.* FROM ${REQUESTS} WHERE ${READABLE} AND r.retry_at IS NULL
       ORDER BY r.priority, r.turn, r.requested_at LIMIT 1)
      UNION ALL${Object.values(PagePriority).map(postponed).join(`
      UNION ALL`)}) AS first
    ORDER BY priority, turn, requested_at LIMIT 1`;

/** The request does not wait for a later hour of its user's quota. */
const IS_TIME = `coalesce(r.retry_at, '-infinity') <= now()`;

/** $2 is the user, $3 the item. */
const REQUESTED = `
    SELECT r.page_key, r.url, r.host, r.user_id FROM ${REQUESTS} WHERE r.user_id = $2 AND r.item_id = $3 AND ${READABLE} AND ${IS_TIME}`;

/** The state of one request; SQL for the conditions that it shares with the queue. $1 is the user, $2 the item. */
export const REQUEST_STATE = `
    SELECT r.page_id IS NOT NULL AS "isReady", ${READABLE} AND ${IS_TIME} AS "isOpen",
      coalesce(page.leased_until > now(), false) OR (${IS_TIME} AND coalesce(page.retry_at, '-infinity') <= now()
        AND (SELECT count(*) FROM pages busy WHERE busy.host = r.host AND busy.leased_until > now()) >= ${PAGES_PER_HOST}
        AND NOT EXISTS (SELECT FROM host_pauses WHERE host = r.host AND until > now())) AS "isBusy"
    FROM ${REQUESTS} WHERE r.user_id = $1 AND r.item_id = $2`;

/** Takes the lease of a page in one statement, a CTE that writes; $1 is the lease. */
const claimOf = (which: string): string => `
    WITH next AS (${which}),
    claimed AS (
      INSERT INTO pages AS page (page_key, url, host, attempts, leased_until, lease)
      SELECT page_key, url, host, 1, now() + ${LEASE}, $1::uuid FROM next
      ON CONFLICT (page_key) DO UPDATE
        SET attempts = page.attempts + 1, leased_until = excluded.leased_until, lease = excluded.lease
      RETURNING page_id AS "pageId", lease, url, host, attempts, etag, last_modified AS "lastModified",
        content->'item'->>'resolvedUrl' AS "resolvedUrl", coalesce(fresh_until > now(), false) AS "isFresh")
    SELECT claimed.*, user_id AS "userId" FROM claimed, next`;

export const CLAIM_NEXT = claimOf(NEXT);
export const CLAIM_REQUESTED = claimOf(REQUESTED);

/** Writes only with the lease, and serves the requests in the same statement, a CTE that writes. */
const completed = (changes: string): string => `
    WITH page AS (
      UPDATE pages SET attempts = 0, retry_at = NULL, leased_until = NULL, lease = NULL, failure = NULL, failure_status = NULL,
        ${changes}
      WHERE page_id = $1 AND lease = $2 RETURNING page_id, page_key),
    served AS (
      UPDATE page_requests SET page_id = page.page_id FROM page
      WHERE page_requests.page_key = page.page_key AND page_requests.page_id IS NULL)
    SELECT page_id FROM page`;

/** $3 is the record, $4 the article, $5 the ETag, $6 Last-Modified. */
export const RECORD_READ =
  completed(`content = $3, article = $4, etag = $5, last_modified = $6, fetched_at = now(),
      first_fetched_at = coalesce(first_fetched_at, now()), fresh_until = now() + ${FRESH}`);

export const RECORD_UNCHANGED = completed(`fetched_at = now(), fresh_until = now() + ${FRESH}`);

/** Another worker has read it meanwhile. */
export const RECORD_FRESH = completed('fetched_at = fetched_at');

/**
 * The requests are postponed with the page, in one CTE that writes. $3 is the reason, $4 the seconds until the next
 * attempt, $5 the HTTP status.
 */
export const POSTPONE = `
    WITH page AS (
      UPDATE pages SET failure = $3, retry_at = now() + make_interval(secs => $4), failure_status = $5,
        leased_until = NULL, lease = NULL
      WHERE page_id = $1 AND lease = $2 RETURNING page_id, page_key, retry_at),
    postponed AS (
      UPDATE page_requests SET retry_at = page.retry_at FROM page
      WHERE page_requests.page_key = page.page_key AND page_requests.page_id IS NULL)
    SELECT page_id FROM page`;

/**
 * The requests get what was read before, however old, or an empty page, of which their items tell: in one CTE that writes.
 * $3 is the reason, $4 the seconds until the page is tried again, $5 the HTTP status.
 */
export const GIVE_UP = `
    WITH page AS (
      UPDATE pages SET failure = $3, retry_at = now() + make_interval(secs => $4), failure_status = $5,
        leased_until = NULL, lease = NULL, attempts = 0
      WHERE page_id = $1 AND lease = $2 RETURNING page_id, page_key),
    served AS (
      UPDATE page_requests SET page_id = page.page_id FROM page
      WHERE page_requests.page_key = page.page_key AND page_requests.page_id IS NULL)
    SELECT page_id FROM page`;

/** When the last attempt ended: no column tells it, but the pause that followed it does. */
const LAST_ATTEMPT = `retry_at - make_interval(secs =>
      CASE WHEN attempts = 0 THEN ${GIVEN_UP_SECONDS} ELSE ${FIRST_PAUSE_SECONDS} * ${PAUSE_FACTOR} ^ (attempts - 1) END)`;

/** It was tried, and is not tried again by itself. */
const IS_HELD = `(retry_at > now() OR fresh_until > now())`;

/**
 * Ends the pause of a page that failed, or has one without an article read anew, with the request of the item, in one CTE
 * that writes; nothing for a page that was tried a moment ago. $1 is the page, $2 the user, $3 the item, $4 whether a
 * page with an article is read anew too.
 */
export const ALLOW_AGAIN = `
    WITH page AS (
      UPDATE pages SET failure = NULL, retry_at = now(), attempts = 0, fresh_until = NULL
      WHERE page_key = $1 AND coalesce(leased_until, '-infinity') < now() AND (
        (retry_at > now() AND ${LAST_ATTEMPT} <= now() - ${LEAST_PAUSE})
        OR (fresh_until > now() AND (article IS NULL OR $4::boolean) AND fetched_at <= now() - ${LEAST_PAUSE}))
      RETURNING page_id),
    dropped AS (
      DELETE FROM page_requests WHERE user_id = $2 AND item_id = $3 AND page_id IS NULL AND EXISTS (SELECT FROM page))
    SELECT EXISTS (SELECT FROM page) OR NOT EXISTS (SELECT FROM pages WHERE page_key = $1 AND ${IS_HELD}) AS "isAllowed"`;

/** The upsert takes the later end, which TypeORM's cannot say, and deletes ended pauses. $1 is the host, $2 the seconds. */
export const PAUSE_HOST = `
    WITH over AS (DELETE FROM host_pauses WHERE until < now() AND host <> $1)
    INSERT INTO host_pauses (host, until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT (host) DO UPDATE SET until = greatest(host_pauses.until, excluded.until)`;

/** By the clock of the database, as all times of the queue. $1 is the host. */
export const REMAINING_PAUSE = `
    SELECT extract(epoch FROM until - now())::float8 AS seconds FROM host_pauses WHERE host = $1 AND until > now()`;

/** Of one user, in one transaction: each transaction moves the version of the list. */
const ITEMS_AT_ONCE = 500;

/** The requests that are delivered first; $2 is the item that a client waits for, if any, which comes before the others. */
export const FIRST_READY = `
    SELECT item_id FROM page_requests WHERE user_id = $1 AND page_id IS NOT NULL
    ORDER BY item_id IS NOT DISTINCT FROM $2::bigint DESC, priority LIMIT ${ITEMS_AT_ONCE}`;

/** TypeORM cannot express DELETE … USING … RETURNING of two tables. */
const takeReady = (items: string): string => `
    DELETE FROM page_requests USING pages
    WHERE page_requests.page_id = pages.page_id AND user_id = $1 AND page_requests.item_id IN (${items})
    RETURNING page_requests.item_id AS "itemId", pages.page_id AS "pageId", content`;

export const TAKE_FIRST_READY = takeReady(FIRST_READY);
export const TAKE_READY = takeReady('SELECT unnest($2::bigint[])');

/** Empties a page that its item cannot take, so that it is read again later, and drops the request. $2 is the item. */
export const DISCARD_PAGE = `
    WITH page AS (
      UPDATE pages SET failure = 'refused by the database', retry_at = now() + interval '1 hour', fresh_until = NULL,
        fetched_at = NULL, first_fetched_at = NULL, content = NULL, article = NULL, etag = NULL, last_modified = NULL
      FROM page_requests WHERE pages.page_id = page_requests.page_id AND user_id = $1 AND page_requests.item_id = $2
      RETURNING pages.page_id),
    dropped AS (DELETE FROM page_requests WHERE user_id = $1 AND item_id = $2 AND page_id IS NOT NULL)
    SELECT page_id AS "pageId" FROM page`;

/** Keeps what was read for other users. $2 is the item. */
export const DROP_REQUEST = `
    DELETE FROM page_requests WHERE user_id = $1 AND item_id = $2 AND page_id IS NOT NULL RETURNING page_id AS "pageId"`;

/** The page belongs to the item (docs/decisions/0049). An upsert that gives the id, which TypeORM's does not. */
export const KEEP_OWN_PAGE = `
    INSERT INTO pages (page_key, url, host, owner_id, item_id, content, article, fetched_at, first_fetched_at)
    VALUES ($1, $2, '', $3, $4, $5, $6, now(), now())
    ON CONFLICT (page_key) DO UPDATE SET content = excluded.content, article = excluded.article, fetched_at = now()
    RETURNING page_id AS "pageId"`;

/** A sent page is given up when so many processes have crashed while parsing it. */
const MAX_PARSINGS = 3;

/** Claims with SKIP LOCKED and reads the row in one statement; it was left by a process that ended. */
export const CLAIM_SENT = `
    UPDATE sent_pages SET attempts = attempts + 1, leased_until = ${LEASE_END}
    WHERE (user_id, item_id) = (SELECT user_id, item_id FROM sent_pages WHERE leased_until < now()
      ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING user_id AS "userId", item_id AS "itemId", version, url, html, attempts > ${MAX_PARSINGS} AS "isHopeless"`;

/** RETURNING: how many bytes are freed. */
export const TAKE_SENT = `
    DELETE FROM sent_pages WHERE user_id = $1 AND item_id = $2 AND version = $3
    RETURNING octet_length(html) AS bytes`;

/** Much longer than a page stays fresh, so that a page that is saved now and then is kept. */
const LONG_AGO = `now() - interval '90 days'`;

/** No item waits for it, no worker reads it, and it was last read or tried long ago, if ever. */
const IDLE = `owner_id IS NULL AND coalesce(greatest(fetched_at, retry_at, leased_until), '-infinity') < ${LONG_AGO}
      AND NOT EXISTS (SELECT FROM page_requests WHERE page_requests.page_key = pages.page_key)`;

/*
 * SQL for the conditions that these share with the deletion below; a deletion can be undone.
 */

/** $1 is how many are found at most. */
export const FIND_UNUSED = `
    SELECT page_id AS "pageId" FROM pages
    WHERE ${IDLE} AND NOT EXISTS (SELECT FROM items WHERE items.resolved_id = pages.page_id)
      AND NOT EXISTS (SELECT FROM deleted_items WHERE (item->>'resolved_id')::bigint = pages.page_id)
    LIMIT $1`;

/** Where items lie on other servers: $1 is how many are looked at, $2 the last page that was looked at before. */
export const FIND_IDLE = `
    SELECT page_id AS "pageId" FROM pages WHERE ${IDLE} AND page_id > $2 ORDER BY page_id LIMIT $1`;

/** Those of the pages that items have, or had when they were deleted. */
export const USED_AMONG = `${OVER_ALL_USERS}
    SELECT resolved_id AS "pageId" FROM items WHERE resolved_id = ANY ($1::bigint[])
    UNION SELECT (item->>'resolved_id')::bigint FROM deleted_items WHERE (item->>'resolved_id')::bigint = ANY ($1::bigint[])`;

/** Checks again, on the rows as they are now: an item gets a page only through a request. */
export const DELETE_IDLE = `
    DELETE FROM pages WHERE page_id = ANY ($1::bigint[]) AND ${IDLE} RETURNING page_id`;

/** Five counts in one scan (FILTER). */
export const STATUS = `
    SELECT (SELECT count(DISTINCT page_key)::int FROM page_requests WHERE page_id IS NULL) AS waiting,
      count(*) FILTER (WHERE leased_until > now())::int AS reading,
      count(*) FILTER (WHERE failure IS NOT NULL AND attempts > 0)::int AS postponed,
      count(*) FILTER (WHERE fetched_at IS NOT NULL)::int AS read,
      count(*) FILTER (WHERE failure IS NOT NULL AND attempts = 0 AND fetched_at IS NULL)::int AS "givenUp"
    FROM pages`;
