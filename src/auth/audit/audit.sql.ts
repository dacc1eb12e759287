/*
 * The statements for audit entries are raw SQL, because TypeORM does not support the upsert with a limit.
 */

/**
 * Stores an entry. Equal events of one hour share a row ($9). If the account already has $10 rows within a day, the
 * event only counts in a row per kind and hour, so that the rows of an account stay few.
 */
export const RECORD = `
  INSERT INTO audit_entries AS entry (user_id, actor, actor_id, kind, address, device, details, is_refusal, slot)
  SELECT $1::bigint, $2::text, $3::bigint, $4::text,
    CASE WHEN is_full THEN '' ELSE $5::text END,
    CASE WHEN is_full THEN '' ELSE $6::text END,
    CASE WHEN is_full THEN '{}' ELSE $7::jsonb END,
    $8::boolean,
    CASE WHEN is_full THEN concat_ws(' ', 'more', $1::text, $2::text, $3::text, $4::text) ELSE $9::text END
      || to_char(now() AT TIME ZONE 'UTC', ' YYYY-MM-DD HH24')
  FROM (SELECT count(*) >= $10::int AS is_full FROM (
      SELECT at FROM audit_entries
      WHERE (user_id = $1::bigint OR $1::bigint IS NULL AND user_id IS NULL) AND is_refusal = $8::boolean
      ORDER BY id DESC LIMIT $10::int) latest
    WHERE at > now() - interval '1 day') lately
  ON CONFLICT (slot) DO UPDATE SET count = entry.count + 1`;

/**
 * Deletes what an account has done itself, and the refused logins to it. The entry about the deletion stays, and so do
 * entries of other actors, without the names of the account's keys.
 */
export const FORGET_ACTS = `
  DELETE FROM audit_entries WHERE user_id = $1 AND actor IN ('user', 'visitor') AND kind <> 'account_deleted'`;

export const FORGET_DETAILS = `
  UPDATE audit_entries SET details = '{}' WHERE user_id = $1`;
