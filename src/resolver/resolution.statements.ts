import { PagePriority } from '../reading-list/list/page-requests.js';
import type { PageClaim } from './page.claim.js';

/** At once. */
export const PAGES_PER_HOST = 2;
/** After it a page is read again when somebody saves it. */
const FRESH = `interval '30 days'`;
/** Longer than reading a page may take; a lease that ends is one whose holder has crashed. */
const LEASE = `interval '60 seconds'`;

/** Claims are made one after the other, so that their counts of busy pages are right. */
export const SERIALISE = `SELECT pg_advisory_xact_lock(7270101)`;

/** Hosts that nobody may ask now: they want a pause, or are asked for as many pages as they are asked for at once. */
const HOSTS_AT_REST = `
      SELECT host FROM host_pauses WHERE until > now()
      UNION ALL
      SELECT host FROM pages WHERE leased_until > now() GROUP BY host HAVING count(*) >= ${PAGES_PER_HOST}`;

/** The hosts are found once for all rows: thousands of pages of one that rests may stand in front. */
const READABLE = `r.page_id IS NULL AND r.host NOT IN (${HOSTS_AT_REST})
      AND (page.page_id IS NULL OR (coalesce(page.leased_until, '-infinity') < now() AND coalesce(page.retry_at, '-infinity') <= now()))`;

const REQUESTS = `page_requests r LEFT JOIN pages page ON page.page_key = r.page_key`;

/** Those that are tried again, of one priority: what came in bulk is in nobody's way. */
const postponed = (priority: number): string => `
      (SELECT r.* FROM ${REQUESTS} WHERE ${READABLE} AND r.priority = ${priority} AND r.retry_at <= now()
       ORDER BY r.retry_at LIMIT 1)`;

/** The first of those that nobody has tried, or of those whose time has come again: the one that is ahead of the others. */
export const NEXT = `
    SELECT page_key, url, host, user_id FROM (
      (SELECT r.* FROM ${REQUESTS} WHERE ${READABLE} AND r.retry_at IS NULL
       ORDER BY r.priority, r.turn, r.requested_at LIMIT 1)
      UNION ALL${Object.values(PagePriority).map(postponed).join(`
      UNION ALL`)}) AS first
    ORDER BY priority, turn, requested_at LIMIT 1`;

/** No request waits for a later hour because its user has asked for many. */
const IS_TIME = `coalesce(r.retry_at, '-infinity') <= now()`;

/** $2 is the user, $3 the item. */
export const WAITED_FOR = `
    SELECT r.page_key, r.url, r.host, r.user_id FROM ${REQUESTS} WHERE r.user_id = $2 AND r.item_id = $3 AND ${READABLE} AND ${IS_TIME}`;

/** $1 is the user, $2 the item. */
export const WAITING = `
    SELECT r.page_id IS NOT NULL AS is_ready, ${READABLE} AND ${IS_TIME} AS is_open,
      coalesce(page.leased_until > now(), false) OR (${IS_TIME} AND coalesce(page.retry_at, '-infinity') <= now()
        AND (SELECT count(*) FROM pages busy WHERE busy.host = r.host AND busy.leased_until > now()) >= ${PAGES_PER_HOST}
        AND NOT EXISTS (SELECT FROM host_pauses WHERE host = r.host AND until > now())) AS is_busy
    FROM ${REQUESTS} WHERE r.user_id = $1 AND r.item_id = $2`;

export interface WaitingRow {
  readonly is_ready: boolean;
  readonly is_open: boolean;
  readonly is_busy: boolean;
}

/** $1 is the lease. */
export const claimOf = (which: string): string => `
    WITH next AS (${which}),
    claimed AS (
      INSERT INTO pages AS page (page_key, url, host, attempts, leased_until, lease)
      SELECT page_key, url, host, 1, now() + ${LEASE}, $1::uuid FROM next
      ON CONFLICT (page_key) DO UPDATE
        SET attempts = page.attempts + 1, leased_until = excluded.leased_until, lease = excluded.lease
      RETURNING page_id, url, host, attempts, etag, last_modified,
        content->'item'->>'resolvedUrl' AS resolved_url,
        coalesce(fresh_until > now(), false) AS is_fresh)
    SELECT claimed.*, user_id FROM claimed, next`;

export interface ClaimRow {
  readonly user_id: string;
  readonly page_id: string;
  readonly url: string;
  readonly host: string;
  readonly attempts: number;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly resolved_url: string | null;
  readonly is_fresh: boolean;
}

export const claimed = (row: ClaimRow, lease: string): PageClaim => ({
  pageId: row.page_id,
  lease,
  userId: row.user_id,
  url: row.url,
  host: row.host,
  attempts: row.attempts,
  etag: row.etag ?? undefined,
  lastModified: row.last_modified ?? undefined,
  resolvedUrl: row.resolved_url ?? undefined,
  isFresh: row.is_fresh,
});

/** Only who still has the lease may write; then whoever waits for the page gets it. */
const settled = (changes: string): string => `
    WITH page AS (
      UPDATE pages SET attempts = 0, retry_at = NULL, leased_until = NULL, lease = NULL, failure = NULL, ${changes}
      WHERE page_id = $1 AND lease = $2 RETURNING page_id, page_key),
    served AS (
      UPDATE page_requests SET page_id = page.page_id FROM page
      WHERE page_requests.page_key = page.page_key AND page_requests.page_id IS NULL)
    SELECT page_id FROM page`;

/** $3 is the record, $4 the article, $5 the ETag, $6 Last-Modified. */
export const READ =
  settled(`content = $3, article = $4, etag = $5, last_modified = $6, fetched_at = now(),
      first_fetched_at = coalesce(first_fetched_at, now()), fresh_until = now() + ${FRESH}`);

export const UNCHANGED = settled(`fetched_at = now(), fresh_until = now() + ${FRESH}`);

/** Read by somebody else: its time stays. */
export const STILL_FRESH = settled('fetched_at = fetched_at');

/** The requests tell the queue when to look again. $3 is the reason, $4 the seconds until the next attempt. */
export const POSTPONED = `
    WITH page AS (
      UPDATE pages SET failure = $3, retry_at = now() + make_interval(secs => $4), leased_until = NULL, lease = NULL
      WHERE page_id = $1 AND lease = $2 RETURNING page_id, page_key, retry_at),
    postponed AS (
      UPDATE page_requests SET retry_at = page.retry_at FROM page
      WHERE page_requests.page_key = page.page_key AND page_requests.page_id IS NULL)
    SELECT page_id FROM page`;

/**
 * Whoever waits gets what was read before, however old; else the items stay as they were given. $3 is the reason, $4 the
 * seconds until somebody may ask again.
 */
export const GIVEN_UP = `
    WITH page AS (
      UPDATE pages SET failure = $3, retry_at = now() + make_interval(secs => $4), leased_until = NULL, lease = NULL,
        attempts = 0
      WHERE page_id = $1 AND lease = $2 RETURNING page_id, page_key, content IS NOT NULL AS is_known),
    served AS (
      UPDATE page_requests SET page_id = page.page_id FROM page
      WHERE page_requests.page_key = page.page_key AND page_requests.page_id IS NULL AND is_known),
    dropped AS (
      DELETE FROM page_requests USING page
      WHERE page_requests.page_key = page.page_key AND page_requests.page_id IS NULL AND NOT is_known)
    SELECT page_id FROM page`;

/** Pauses that are over go, so that the table stays as small as the troubles of today. $1 is the host, $2 the seconds. */
export const PAUSE_HOST = `
    WITH over AS (DELETE FROM host_pauses WHERE until < now() AND host <> $1)
    INSERT INTO host_pauses (host, until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT (host) DO UPDATE SET until = greatest(host_pauses.until, excluded.until)`;

/** What a stopping instance had claimed may be claimed by another at once. $1 is the lease. */
export const RELEASE = `
    UPDATE pages SET leased_until = NULL, lease = NULL, attempts = greatest(attempts - 1, 0)
    WHERE lease = $1`;

/** Whoever still has the lease goes on reading. $1 is the lease. */
export const RENEW = `UPDATE pages SET leased_until = now() + ${LEASE} WHERE lease = $1`;
