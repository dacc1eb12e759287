const LEASE = `interval '60 seconds'`;
/** A page that makes every process fail that parses it is left. */
const MAX_ATTEMPTS = 3;

/** One whose process did not come to an end with it, and only if it was not sent again meanwhile. */
export const CLAIM_SENT = `
    UPDATE sent_pages SET attempts = attempts + 1, leased_until = now() + ${LEASE}
    WHERE (user_id, item_id) = (SELECT user_id, item_id FROM sent_pages WHERE leased_until < now()
      ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING user_id, item_id, version, url, html, attempts > ${MAX_ATTEMPTS} AS is_hopeless`;

/** Whoever still has it goes on with it. $1 is the user, $2 the item, $3 the version. */
export const RENEW_SENT = `
    UPDATE sent_pages SET leased_until = now() + ${LEASE} WHERE user_id = $1 AND item_id = $2 AND version = $3`;

export interface SentPageRow {
  readonly user_id: string;
  readonly item_id: string;
  readonly version: string;
  readonly url: string;
  readonly html: Buffer;
  readonly is_hopeless: boolean;
}

/** Only who takes it may write it. $1 is the user, $2 the item, $3 the version. */
export const TAKE_SENT = `
    DELETE FROM sent_pages WHERE user_id = $1 AND item_id = $2 AND version = $3 RETURNING item_id`;
