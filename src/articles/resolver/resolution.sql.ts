import { OVER_ALL_USERS } from '../../platform/database/query-rows.js';
import { isLeased, isUnleased } from '../../platform/jobs/lease.sql.js';
import { PagePriority } from '../../reading-list/pages/page-requests.js';

/** The maximum number of pages of one host that are fetched at the same time by all instances. */
export const PAGES_PER_HOST = 2;
/** The time for which a fetched page is fresh. After this time, a new request for the page fetches it again. */
const FRESH = `interval '30 days'`;
/**
 * The pause in seconds after the first failed attempt to fetch a page. Each further pause is PAUSE_FACTOR times as long
 * as the pause before it.
 */
export const FIRST_PAUSE_SECONDS = 60;
export const PAUSE_FACTOR = 4;
/** The pause in seconds after the last attempt. During the pause, saving the URL again does not fetch the page. */
export const GIVEN_UP_SECONDS = 3600;
/** The minimum time between the last attempt to fetch a page and a new attempt on request of a user. */
export const LEAST_PAUSE = `interval '60 seconds'`;
/** The duration of a lease. A running worker renews its lease, so an expired lease belongs to a crashed worker. */
const LEASE = `interval '60 seconds'`;
/** The SQL expression for the end of a lease that is created or renewed now. */
export const LEASE_END = `now() + ${LEASE}`;

/**
 * Lets only one transaction lease a page at a time, so that parallel leases cannot exceed the limit per host. Commits
 * without waiting for the disk, because a lease that is lost in a crash does no harm. This is raw SQL, because TypeORM
 * has no advisory locks.
 */
export const SERIALISE_CLAIMS = `
    SELECT set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(7270101)`;

/**
 * Selects the hosts from which no page may be fetched now: a host has requested a pause, or the maximum number of its
 * pages is being fetched.
 */
export const BUSY_HOSTS = `
      SELECT host FROM host_pauses WHERE until > now()
      UNION ALL
      SELECT host FROM pages WHERE ${isLeased('leased_until')} GROUP BY host HAVING count(*) >= ${PAGES_PER_HOST}`;

/**
 * The condition that the page of a request may be fetched now. The subquery for busy hosts runs once for all rows,
 * because the first thousands of requests may be for one host.
 */
const READABLE = `r.page_id IS NULL AND r.host NOT IN (${BUSY_HOSTS})
      AND (page.page_id IS NULL OR (${isUnleased('page.leased_until')} AND coalesce(page.retry_at, '-infinity') <= now()))`;

const REQUESTS = `page_requests r LEFT JOIN pages page ON page.page_key = r.page_key`;

/**
 * Selects the next postponed request of one priority that is due. Failed attempts and user quotas postpone requests.
 * Each priority has its own query, so that bulk imports do not delay pages that users save.
 */
const postponed = (priority: number): string => `
      (SELECT r.* FROM ${REQUESTS} WHERE ${READABLE} AND r.priority = ${priority} AND r.retry_at <= now()
       ORDER BY r.retry_at LIMIT 1)`;

/** Selects the first page of the queue. The queue contains new requests and postponed requests that are due. */
const NEXT = `
    SELECT page_key, url, host, user_id, priority FROM (
      (SELECT r.* FROM ${REQUESTS} WHERE ${READABLE} AND r.retry_at IS NULL
       ORDER BY r.priority, r.turn, r.requested_at LIMIT 1)
      UNION ALL${Object.values(PagePriority).map(postponed).join(`
      UNION ALL`)}) AS first
    ORDER BY priority, turn, requested_at LIMIT 1`;

/** The condition that a request is due: no user quota and no failed attempt postpones it. */
const IS_TIME = `coalesce(r.retry_at, '-infinity') <= now()`;

/** Selects the page request of one item, if its page may be fetched now. $2 is the user, $3 the item. */
const REQUESTED = `
    SELECT r.page_key, r.url, r.host, r.user_id, r.priority FROM ${REQUESTS} WHERE r.user_id = $2 AND r.item_id = $3 AND ${READABLE} AND ${IS_TIME}`;

/**
 * Selects the state of one item's page request. This is raw SQL, because it shares conditions with other queries of the
 * page queue. $1 is the user, $2 the item.
 */
export const REQUEST_STATE = `
    SELECT r.page_id IS NOT NULL AS "isReady", ${READABLE} AND ${IS_TIME} AS "isOpen",
      coalesce(${isLeased('page.leased_until')}, false) OR (${IS_TIME} AND coalesce(page.retry_at, '-infinity') <= now()
        AND (SELECT count(*) FROM pages busy WHERE busy.host = r.host AND ${isLeased('busy.leased_until')}) >= ${PAGES_PER_HOST}
        AND NOT EXISTS (SELECT FROM host_pauses WHERE host = r.host AND until > now())) AS "isBusy"
    FROM ${REQUESTS} WHERE r.user_id = $1 AND r.item_id = $2`;

/** Returns a statement that leases the page selected by the query `which`. $1 is the id of the lease. */
const claimOf = (which: string): string => `
    WITH next AS (${which}),
    claimed AS (
      INSERT INTO pages AS page (page_key, url, host, attempts, leased_until, lease)
      SELECT page_key, url, host, 1, now() + ${LEASE}, $1::uuid FROM next
      ON CONFLICT (page_key) DO UPDATE
        SET attempts = page.attempts + 1, leased_until = excluded.leased_until, lease = excluded.lease
      RETURNING page_id AS "pageId", lease, url, host, attempts, etag, last_modified AS "lastModified",
        content->'item'->>'resolvedUrl' AS "resolvedUrl", coalesce(fresh_until > now(), false) AS "isFresh")
    SELECT claimed.*, user_id AS "userId", priority FROM claimed, next`;

export const CLAIM_NEXT = claimOf(NEXT);
export const CLAIM_REQUESTED = claimOf(REQUESTED);

/** Returns a statement that changes page $1 and completes its requests, if the page still has the lease $2. */
const completed = (changes: string): string => `
    WITH page AS (
      UPDATE pages SET attempts = 0, retry_at = NULL, leased_until = NULL, lease = NULL, failure = NULL, failure_status = NULL,
        ${changes}
      WHERE page_id = $1 AND lease = $2 RETURNING page_id, page_key),
    served AS (
      UPDATE page_requests SET page_id = page.page_id FROM page
      WHERE page_requests.page_key = page.page_key AND page_requests.page_id IS NULL)
    SELECT page_id FROM page`;

const FETCHED_NOW = `fetched_at = now(), fresh_until = now() + ${FRESH}, check_at = NULL, missing_since = NULL, gone_since = NULL`;

/** Stores a fetched page. $3 is the page record, $4 the article, $5 the ETag, $6 the Last-Modified. */
export const RECORD_FETCHED = completed(`content = $3, article = $4, etag = $5, last_modified = $6,
      first_fetched_at = coalesce(first_fetched_at, now()), ${FETCHED_NOW}`);

export const RECORD_UNCHANGED = completed(FETCHED_NOW);

/** Completes the requests for a page that another worker has just fetched. The page does not change. */
export const RECORD_FRESH = completed('fetched_at = fetched_at');

/**
 * Postpones a page after a failed attempt, together with all requests for it. $3 is the reason, $4 the seconds until
 * the next attempt, $5 the HTTP status.
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
 * Gives up a page after its last attempt, and completes all requests for it, so that no item waits any longer. $3 is
 * the reason, $4 the length of the pause in seconds, $5 the HTTP status.
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

/**
 * The SQL expression for the time of the last failed attempt to fetch a page. No column stores this time, so it is
 * computed from `retry_at` and the length of the pause.
 */
export const LAST_ATTEMPT = `retry_at - make_interval(secs =>
      CASE WHEN attempts = 0 THEN ${GIVEN_UP_SECONDS} ELSE ${FIRST_PAUSE_SECONDS} * ${PAUSE_FACTOR} ^ (attempts - 1) END)`;

/** The condition that a page must not be fetched: it is still fresh, or a failed attempt has started a pause. */
const IS_HELD = `(retry_at > now() OR fresh_until > now())`;

/**
 * Allows a page to be fetched again, and deletes the item's request, so that a new request can follow. Does nothing if
 * the last attempt was less than LEAST_PAUSE ago. $1 is the page, $2 the user, $3 the item. If $4 is false, pages with
 * an article are excluded.
 */
export const ALLOW_AGAIN = `
    WITH page AS (
      UPDATE pages SET failure = NULL, retry_at = now(), attempts = 0, fresh_until = NULL,
        etag = CASE WHEN $4::boolean THEN NULL ELSE etag END,
        last_modified = CASE WHEN $4::boolean THEN NULL ELSE last_modified END
      WHERE page_key = $1 AND ${isUnleased('leased_until')} AND (
        (retry_at > now() AND ${LAST_ATTEMPT} <= now() - ${LEAST_PAUSE})
        OR (fresh_until > now() AND (article IS NULL OR $4::boolean) AND fetched_at <= now() - ${LEAST_PAUSE}))
      RETURNING page_id),
    dropped AS (
      DELETE FROM page_requests WHERE user_id = $2 AND item_id = $3 AND page_id IS NULL AND EXISTS (SELECT FROM page))
    SELECT EXISTS (SELECT FROM page) OR NOT EXISTS (SELECT FROM pages WHERE page_key = $1 AND ${IS_HELD}) AS "isAllowed"`;

/**
 * Records a pause that a host has requested, unless a longer pause is already recorded. Also deletes ended pauses. This
 * is raw SQL, because TypeORM's upsert cannot compare two times. $1 is the host, $2 the seconds.
 */
export const PAUSE_HOST = `
    WITH over AS (DELETE FROM host_pauses WHERE until < now() AND host <> $1)
    INSERT INTO host_pauses (host, until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT (host) DO UPDATE SET until = greatest(host_pauses.until, excluded.until)`;

/**
 * Selects the remaining seconds of a host's pause. Uses the clock of the database, as all times of the page queue do.
 * $1 is the host.
 */
export const REMAINING_PAUSE = `
    SELECT extract(epoch FROM until - now())::float8 AS seconds FROM host_pauses WHERE host = $1 AND until > now()`;

/** The maximum number of items per transaction. Large batches create fewer list versions: one per transaction. */
const ITEMS_AT_ONCE = 500;

/**
 * Selects the next items of a user whose pages are ready to be written. $1 is the user. $2 is the item to select first,
 * because a client waits for it, or null.
 */
export const FIRST_READY = `
    SELECT item_id FROM page_requests WHERE user_id = $1 AND page_id IS NOT NULL
    ORDER BY item_id IS NOT DISTINCT FROM $2::bigint DESC, priority LIMIT ${ITEMS_AT_ONCE}`;

/** Deletes page requests and returns their pages. Raw SQL, because TypeORM has no DELETE … USING … RETURNING. */
const takeReady = (items: string): string => `
    DELETE FROM page_requests USING pages
    WHERE page_requests.page_id = pages.page_id AND user_id = $1 AND page_requests.item_id IN (${items})
    RETURNING page_requests.item_id AS "itemId", pages.page_id AS "pageId", content`;

export const TAKE_FIRST_READY = takeReady(FIRST_READY);
export const TAKE_READY = takeReady('SELECT unnest($2::bigint[])');

/**
 * Deletes the content of a page that the database has refused to write to an item. Also deletes the item's page
 * request. The page may be fetched again after an hour. $1 is the user, $2 the item.
 */
export const DISCARD_PAGE = `
    WITH page AS (
      UPDATE pages SET failure = 'refused by the database', retry_at = now() + interval '1 hour', fresh_until = NULL,
        fetched_at = NULL, first_fetched_at = NULL, content = NULL, article = NULL, etag = NULL, last_modified = NULL
      FROM page_requests WHERE pages.page_id = page_requests.page_id AND user_id = $1 AND page_requests.item_id = $2
      RETURNING pages.page_id),
    dropped AS (DELETE FROM page_requests WHERE user_id = $1 AND item_id = $2 AND page_id IS NOT NULL)
    SELECT page_id AS "pageId" FROM page`;

/** Deletes the request of an item, but keeps the page for other users. $1 is the user, $2 the item. */
export const DROP_REQUEST = `
    DELETE FROM page_requests WHERE user_id = $1 AND item_id = $2 AND page_id IS NOT NULL RETURNING page_id AS "pageId"`;

/** Stores the page of one item (docs/decisions/0049). Raw SQL, because TypeORM's upsert returns no page id. */
export const KEEP_OWN_PAGE = `
    INSERT INTO pages (page_key, url, host, owner_id, item_id, content, article, fetched_at, first_fetched_at)
    VALUES ($1, $2, '', $3, $4, $5, $6, now(), now())
    ON CONFLICT (page_key) DO UPDATE SET content = excluded.content, article = excluded.article, fetched_at = now()
    RETURNING page_id AS "pageId"`;

/** The maximum number of attempts to parse a sent page. If the process crashes each time, the page is discarded. */
const MAX_PARSINGS = 3;

/** Leases a sent page that no process is parsing. SKIP LOCKED skips pages that other processes are leasing. */
export const CLAIM_SENT = `
    UPDATE sent_pages SET attempts = attempts + 1, leased_until = ${LEASE_END}
    WHERE (user_id, item_id) = (SELECT user_id, item_id FROM sent_pages WHERE ${isUnleased('leased_until')}
      ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING user_id AS "userId", item_id AS "itemId", version, url, html, attempts > ${MAX_PARSINGS} AS "isHopeless"`;

/** Deletes a page that a client has sent, and returns the size of its HTML in bytes. */
export const TAKE_SENT = `
    DELETE FROM sent_pages WHERE user_id = $1 AND item_id = $2 AND version = $3
    RETURNING octet_length(html) AS bytes`;

/** The SQL expression for 90 days ago. An unused page is deleted if it was last used before this time. */
const LONG_AGO = `now() - interval '90 days'`;

/** The condition that a page is idle: no item has requested it, and the last attempt to fetch it was long ago. */
const IDLE = `owner_id IS NULL AND coalesce(greatest(fetched_at, retry_at, leased_until), '-infinity') < ${LONG_AGO}
      AND NOT EXISTS (SELECT FROM page_requests WHERE page_requests.page_key = pages.page_key)`;

/*
 * The queries for unused pages are raw SQL, because they share conditions with DELETE_IDLE. Deleted items still use
 * their pages, because a deletion can be undone.
 */

/** Selects the ids of pages that no item uses. $1 is the maximum number of pages. */
export const FIND_UNUSED = `
    SELECT page_id AS "pageId" FROM pages
    WHERE ${IDLE} AND NOT EXISTS (SELECT FROM items WHERE items.resolved_id = pages.page_id)
      AND NOT EXISTS (SELECT FROM deleted_items WHERE (item->>'resolved_id')::bigint = pages.page_id)
    LIMIT $1`;

/**
 * Selects the ids of idle pages, for a database that distributes items over several servers. $1 is the maximum number
 * of pages, $2 the last page of the previous batch.
 */
export const FIND_IDLE = `
    SELECT page_id AS "pageId" FROM pages WHERE ${IDLE} AND page_id > $2 ORDER BY page_id LIMIT $1`;

/** Selects the pages of the array $1 that items or restorable deleted items use. */
export const USED_AMONG = `${OVER_ALL_USERS}
    SELECT resolved_id AS "pageId" FROM items WHERE resolved_id = ANY ($1::bigint[])
    UNION SELECT (item->>'resolved_id')::bigint FROM deleted_items WHERE (item->>'resolved_id')::bigint = ANY ($1::bigint[])`;

/**
 * Deletes the pages of the array $1 that are still idle. Checks again, because an item may have requested one of the
 * pages after their selection.
 */
export const DELETE_IDLE = `
    DELETE FROM pages WHERE page_id = ANY ($1::bigint[]) AND ${IDLE} RETURNING page_id`;

/** Counts the pages in each state with one scan of the table. */
export const STATUS = `
    SELECT (SELECT count(DISTINCT page_key)::int FROM page_requests WHERE page_id IS NULL) AS waiting,
      count(*) FILTER (WHERE ${isLeased('leased_until')})::int AS reading,
      count(*) FILTER (WHERE failure IS NOT NULL AND attempts > 0)::int AS postponed,
      count(*) FILTER (WHERE fetched_at IS NOT NULL)::int AS read,
      count(*) FILTER (WHERE failure IS NOT NULL AND attempts = 0 AND fetched_at IS NULL)::int AS "givenUp"
    FROM pages`;
