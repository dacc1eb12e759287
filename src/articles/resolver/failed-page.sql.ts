import { isUnleased } from '../../platform/jobs/lease.sql.js';
import { LAST_ATTEMPT, LEAST_PAUSE } from './resolution.sql.js';

/**
 * Ends the pauses of failed pages, and deletes the requests that waited for the end of a pause, so
 * that new requests can follow. Skips pages whose last attempt was less than LEAST_PAUSE ago. $1 are
 * the pages, $2 the user, $3 the items.
 */
export const ALLOW_ALL_AGAIN = `
    WITH page AS (
      UPDATE pages SET failure = NULL, retry_at = now(), attempts = 0
      WHERE page_key = ANY ($1::bytea[]) AND ${isUnleased('leased_until')}
        AND retry_at > now() AND ${LAST_ATTEMPT} <= now() - ${LEAST_PAUSE}
      RETURNING page_key)
    DELETE FROM page_requests WHERE user_id = $2 AND item_id = ANY ($3::bigint[]) AND page_id IS NULL
      AND page_key IN (SELECT page_key FROM page)`;

/**
 * Selects those of the pages $1 that may not be fetched yet. This is a separate statement, because another user may have
 * ended the pause of a page while ALLOW_ALL_AGAIN waited for its row. The end of that pause may be later than the
 * beginning of this transaction.
 */
export const HELD_PAGES = `
    SELECT page_key AS "pageKey" FROM pages WHERE page_key = ANY ($1::bytea[]) AND retry_at > clock_timestamp()`;
