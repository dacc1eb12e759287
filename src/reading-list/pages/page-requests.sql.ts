/** The SQL of the values of a page request. */
interface RequestSql {
  /** A row set with the columns `item_id`, `page_key`, `url`, `host` and `place`. */
  readonly rows: string;
  readonly priority: string;
  /** The maximum number of pages that are fetched per hour for the user. 0 means no limit. */
  readonly perHour: string;
}

/**
 * Selects the items whose pages are not requested yet. `fetches` is a running count of the pages
 * that must be fetched, because there is no recent copy. LATERAL makes PostgreSQL look up each page
 * by its key.
 */
const askedOf = ({ rows }: RequestSql): string => `
    SELECT row.*, page.page_id, page.retry_at,
      count(*) FILTER (WHERE page.page_id IS NULL) OVER (ORDER BY place) AS fetches
    FROM ${rows}
    LEFT JOIN LATERAL (
      SELECT CASE WHEN fresh_until > now() THEN page_id END AS page_id, CASE WHEN retry_at > now() THEN retry_at END AS retry_at
      FROM pages WHERE pages.page_key = row.page_key LIMIT 1) page ON true
    WHERE NOT EXISTS (SELECT FROM page_requests r WHERE r.user_id = $1 AND r.item_id = row.item_id)`;

/** Returns the change of a quota that adds pages to it. If all its hours are over, a new hour begins. */
const taking = (pages: string, perHour: string): string => `SET (began_at, taken) = (
      SELECT CASE WHEN is_over THEN now() ELSE quota.began_at END, CASE WHEN is_over THEN 0 ELSE quota.taken END + ${pages}
      FROM (SELECT quota.began_at + make_interval(hours => (quota.taken - 1) / ${perHour} + 1) <= now() AS is_over) hours)`;

/**
 * Adds the pages that must be fetched to the user's quota. Pages beyond `perHour` are fetched in later hours. After the
 * last of these hours, the quota starts again at 0.
 */
const quotaOf = ({ priority, perHour }: RequestSql): string => `
    INSERT INTO page_quotas AS quota (user_id, priority, began_at, taken)
    SELECT $1, ${priority}, now(), max(fetches) FROM asked WHERE ${perHour} > 0 HAVING max(fetches) > 0
    ON CONFLICT (user_id, priority) DO UPDATE ${taking('excluded.taken', perHour)}
    RETURNING began_at, taken - (SELECT max(fetches) FROM asked) AS before`;

/** Adds $3 further pages of an article to the user's quota. $4 is the maximum number of pages per hour. */
export const COUNT_FURTHER_PAGES = `
    UPDATE page_quotas AS quota ${taking('$3::integer', '$4::integer')} WHERE user_id = $1 AND priority = $2`;

/**
 * Returns the parts of a statement that requests any number of pages of the user $1: the CTEs `asked` and `quota`, and
 * an INSERT that reads them. A page with a recent copy is ready immediately. A page whose last fetch failed waits until
 * `retry_at`. `turn` is the position of a page among the waiting pages of its user. Pages with a lower `turn` are fetched
 * first, so that the fetches alternate between users. At most 1,000 waiting pages of a user are counted for `turn`.
 */
export const pageRequestSql = (
  sql: RequestSql,
): { readonly ctes: string; readonly insert: string } => ({
  ctes: `asked AS MATERIALIZED (${askedOf(sql)}), quota AS (${quotaOf(sql)})`,
  insert: `
    INSERT INTO page_requests (user_id, item_id, page_key, url, host, priority, turn, page_id, retry_at)
    SELECT $1, asked.item_id, page_key, url, host, ${sql.priority}, waiting.pages + place, page_id,
      CASE WHEN page_id IS NULL THEN greatest(retry_at, hour.begins_at) END
    FROM (SELECT count(*)::integer AS pages FROM (
        SELECT FROM page_requests WHERE user_id = $1 AND page_id IS NULL LIMIT 1000) first) waiting, asked
    LEFT JOIN LATERAL (
      SELECT began_at + make_interval(hours => ((before + fetches - 1) / ${sql.perHour})::integer) AS begins_at FROM quota
      ) hour ON hour.begins_at > now()
    ON CONFLICT (user_id, item_id) DO NOTHING`,
});

const REQUESTED = pageRequestSql({
  rows: `unnest($3::bigint[], $4::bytea[], $5::text[], $6::text[]) WITH ORDINALITY
        AS row (item_id, page_key, url, host, place)`,
  priority: '$2',
  perHour: '$7::integer',
});

/** Requests any number of pages in one statement. */
export const REQUEST_PAGES = `WITH ${REQUESTED.ctes} ${REQUESTED.insert}`;

/**
 * Deletes the page requests of items, the page contents that clients have sent, and the pages that
 * belong only to one of the items. CTEs let one statement delete from three tables.
 */
export const FORGET_PAGES = `
    WITH gone AS (DELETE FROM pages WHERE owner_id = $1 AND item_id = ANY ($2::bigint[])),
      sent AS (DELETE FROM sent_pages WHERE user_id = $1 AND item_id = ANY ($2::bigint[]))
    DELETE FROM page_requests WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

const ownPages = (condition: string): string => `
    SELECT item_id AS "itemId" FROM pages WHERE owner_id = $1 ${condition}
    UNION SELECT item_id FROM sent_pages WHERE user_id = $1 ${condition}`;

/** Selects those of the items $2 for which a client has sent a page. */
export const WITH_OWN_PAGES = ownPages('AND item_id = ANY ($2::bigint[])');

/** Selects all items of a user for which a client has sent a page. */
export const ALL_WITH_OWN_PAGES = ownPages('');

/**
 * Stores page content that a client has sent. The process that received the content has 60 seconds to parse it. After
 * 60 seconds, any process may parse it.
 */
export const KEEP_SENT_PAGE = `
    INSERT INTO sent_pages (user_id, item_id, version, url, html, leased_until)
    VALUES ($1, $2, $3, $4, $5, now() + interval '60 seconds')
    ON CONFLICT (user_id, item_id) DO UPDATE SET version = excluded.version, url = excluded.url, html = excluded.html,
      attempts = excluded.attempts, leased_until = excluded.leased_until`;
