import type { CallerStatement } from './caller-lists.js';

/** SQL that is true for a key that is neither disabled nor expired. `key` is the alias of the table. */
export const isUsable = (key: string): string =>
  `${key}.disabled_at IS NULL AND coalesce(${key}.expires_at > now(), true)`;

/**
 * Finds the application and the user of each call, in the order of the parameters
 * (docs/research/performance.md). Finds a personal key only together with a token of its owner.
 * This is raw SQL, because the query builder supports neither `unnest` nor LATERAL. `OFFSET 0`
 * forces the planner to use a unique index for each table instead of joining whole tables.
 */
export const FIND_CALLERS: CallerStatement = (listOf) => {
  const { columns, joined } = listOf('owner.user_id');
  return `
  SELECT key.id, key.permissions, key.dialect, key."maxCount", key."defaultCount", owner.user_id,
    coalesce(granted.consumer_key_id <> key.id, false) AS is_token_of_another,
    CASE WHEN granted.consumer_key_id = key.id AND owner.user_id IS NOT NULL
      AND coalesce(granted.last_used_at < now() - interval '10 minutes', true) THEN granted.id END AS grant_to_touch${columns}
  FROM unnest($1::bytea[], $2::bigint[], $3::int[], $4::bytea[]) WITH ORDINALITY
    AS asked (key_hash, user_id, token_version, token_hash, place)
  LEFT JOIN LATERAL (SELECT id, permissions, dialect, max_count AS "maxCount", default_count AS "defaultCount", owner_id
    FROM consumer_keys known WHERE key_hash = asked.key_hash AND kind = 'key' AND ${isUsable('known')} OFFSET 0) key ON true
  LEFT JOIN LATERAL (SELECT * FROM grants WHERE token_hash = asked.token_hash OFFSET 0) granted ON true
  LEFT JOIN LATERAL (SELECT id AS user_id FROM users
    WHERE id = coalesce(asked.user_id, granted.user_id) AND disabled_at IS NULL
      AND session_epoch = coalesce(asked.token_version, session_epoch)
      AND id = coalesce(key.owner_id, id) OFFSET 0) owner ON true
  ${joined}
  ORDER BY asked.place`;
};

/**
 * Finds the user of an application password, with the version and counts of the user's list. This is raw SQL, because
 * the version and the counts are computed by SQL expressions.
 */
export const FIND_PASSWORD_HOLDER: CallerStatement = (listOf) => {
  const { columns, joined } = listOf('users.id');
  return `
  SELECT key.id, key.permissions, key.dialect, key.max_count AS "maxCount", key.default_count AS "defaultCount",
    users.id AS user_id, users.language, users.browser_language AS "browserLanguage",
    CASE WHEN coalesce(granted.last_used_at < now() - interval '10 minutes', true) THEN granted.id END AS grant_to_touch${columns}
  FROM grants granted
    JOIN consumer_keys key ON key.id = granted.consumer_key_id AND key.kind = 'password' AND ${isUsable('key')}
    JOIN users ON users.id = granted.user_id AND users.id = key.owner_id AND users.disabled_at IS NULL
    ${joined}
  WHERE granted.token_hash = $1 AND (users.email = $2 OR key.login_name = $2)`;
};

/**
 * Stores the time at which a grant was last used. Of several parallel calls, only one needs to
 * store the time, so SKIP LOCKED lets the others continue without waiting. This is raw SQL, because
 * SKIP LOCKED needs it.
 */
export const TOUCH_GRANT = `
  UPDATE grants SET last_used_at = now() WHERE id =
    (SELECT id FROM grants WHERE id = $1 FOR UPDATE SKIP LOCKED)`;

/** Returns the id for a new key. This is raw SQL, because TypeORM does not support sequences. */
export const NEXT_KEY_ID = `SELECT nextval(pg_get_serial_sequence('consumer_keys', 'id')) AS id`;

/**
 * Inserts a key with a given id, because the key itself contains this id. This is raw SQL, because
 * TypeORM does not support OVERRIDING SYSTEM VALUE.
 */
export const INSERT_KEY = `
  INSERT INTO consumer_keys (id, name, key_hash, permissions, dialect, max_count, default_count, owner_id, kind, secret_hash,
    login_name, expires_at)
  OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + make_interval(days => $12)) ON CONFLICT (key_hash) DO NOTHING`;

/**
 * Returns true if a key has ever been created. This is raw SQL, because TypeORM does not support
 * sequences.
 */
export const IS_KEY_ID_USED = 'SELECT is_called FROM consumer_keys_id_seq';
