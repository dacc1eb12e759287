import { OVER_ALL_USERS } from '../../platform/database/query-rows.js';
import { isUnleased } from '../../platform/jobs/lease.sql.js';
import { BUSY_HOSTS } from '../resolver/resolution.sql.js';

/*
 * The statements are raw SQL, because TypeORM has no UPDATE … FROM and no SKIP LOCKED. All times use the clock of the
 * database, as in the page queue.
 */

/** The time between two checks of a page. */
const ROUND = `interval '30 days'`;
/** The least time between the first check that does not find a page and the check that confirms it. */
const CONFIRMED_AFTER = `interval '1 day'`;

/** The condition that a page is checked: it was fetched, and all users share it. */
const CHECKED = 'owner_id IS NULL AND fetched_at IS NOT NULL';

/** The maximum number of pages whose first check one statement plans. */
const PLANNED_AT_ONCE = 1000;

/**
 * Plans the first checks of fetched pages. The random part spreads the pages of an import, and the pages that were
 * stored before the checks were turned on, over a month.
 */
export const PLAN_CHECKS = `
    UPDATE pages SET check_at = greatest(fetched_at + ${ROUND}, now()) + random() * ${ROUND}
    WHERE page_id IN (SELECT page_id FROM pages WHERE ${CHECKED} AND check_at IS NULL
      LIMIT ${PLANNED_AT_ONCE} FOR UPDATE SKIP LOCKED)`;

/** The number of due pages from which a batch is selected. */
const CANDIDATES = 200;
/** The maximum number of pages that are checked at the same time. */
const PAGES_AT_ONCE = 10;
/** The time until a lease ends. It is longer than two fetches, so the lease of a running check is never renewed. */
const LEASE = `interval '2 minutes'`;

/**
 * Leases due pages of different hosts. The checks of further pages of these hosts are put off, one minute each, so that
 * the pages of one host do not hold up the others. $1 is the id of the lease.
 */
export const CLAIM_CHECKS = `
    WITH candidates AS (
      SELECT page_id, host, check_at FROM pages
      WHERE ${CHECKED} AND check_at <= now() AND ${isUnleased('leased_until')}
        AND host NOT IN (${BUSY_HOSTS})
      ORDER BY check_at LIMIT ${CANDIDATES}),
    due AS (
      SELECT page_id, check_at, row_number() OVER (PARTITION BY host ORDER BY check_at, page_id) AS place FROM candidates),
    later AS (
      UPDATE pages SET check_at = now() + (due.place - 1) * interval '1 minute'
      FROM due WHERE pages.page_id = due.page_id AND due.place > 1)
    UPDATE pages SET leased_until = now() + ${LEASE}, lease = $1::uuid
    WHERE page_id IN (SELECT page_id FROM due WHERE place = 1 ORDER BY check_at LIMIT ${PAGES_AT_ONCE})
    RETURNING page_id AS "pageId", lease, url`;

/** Returns a statement that stores the result of a check, if page $1 still has the lease $2. */
const checked = (changes: string): string => `
    UPDATE pages SET leased_until = NULL, lease = NULL, ${changes} WHERE page_id = $1 AND lease = $2
    RETURNING gone_since IS NOT NULL AS "isGone"`;

export const RECORD_FOUND = checked(
  `missing_since = NULL, gone_since = NULL, check_at = now() + ${ROUND}`,
);

/** The condition that an earlier check, at least a day ago, has not found the page either. */
const IS_CONFIRMED = `missing_since <= now() - ${CONFIRMED_AFTER}`;

/** Records that the page was not found. The second such record within a round marks the page as gone. */
export const RECORD_MISSING = checked(`
      missing_since = coalesce(missing_since, now()),
      gone_since = CASE WHEN ${IS_CONFIRMED} THEN missing_since ELSE gone_since END,
      check_at = CASE WHEN ${IS_CONFIRMED} THEN now() + ${ROUND}
        ELSE coalesce(missing_since, now()) + ${CONFIRMED_AFTER} + random() * interval '6 hours' END`);

/** Records a check without a result, after which the page remains in its state. $3 are the seconds until the next check. */
export const RECORD_UNKNOWN = checked('check_at = now() + make_interval(secs => $3)');

/** The maximum number of gone pages whose items are looked up together. Each lookup reads all items. */
export const GONE_AT_ONCE = 100_000;

/** Selects the next gone pages. $1 is the last page of the previous batch. */
export const GONE_PAGES = `
    SELECT page_id AS "pageId", floor(extract(epoch FROM gone_since))::bigint AS "goneSince" FROM pages
    WHERE gone_since IS NOT NULL AND page_id > $1 ORDER BY page_id LIMIT ${GONE_AT_ONCE}`;

/** Returns a query for at most $3 items after the user $1 and the item $2 that meet a condition. */
const nextItems = (condition: string): string => `${OVER_ALL_USERS}
    SELECT user_id AS "userId", item_id AS "itemId", resolved_id AS "pageId" FROM items
    WHERE (user_id, item_id) > ($1::bigint, $2::bigint) AND ${condition}
    ORDER BY user_id, item_id LIMIT $3`;

/** Selects the next items of the gone pages $4 that are not marked yet. */
export const UNMARKED_ITEMS = nextItems('resolved_id = ANY ($4::bigint[]) AND gone_since = 0');

/** Selects the next items that are marked as gone. The index of these items finds them. */
export const MARKED_ITEMS = nextItems('gone_since > 0');

/** Selects those of the pages $1 that are gone. */
export const GONE_AMONG = `
    SELECT page_id AS "pageId" FROM pages WHERE page_id = ANY ($1::bigint[]) AND gone_since IS NOT NULL`;
