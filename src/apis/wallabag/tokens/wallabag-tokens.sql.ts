import type { CallerStatement } from '../../../auth/consumers/caller-lists.js';
import { isUsable } from '../../../auth/consumers/consumers.sql.js';

/**
 * Finds the client and the user of an access token, with the version and counters of the user's
 * list. A client that belongs to one user is found only for this user. A token without an
 * application password has only NULL in `password`, which counts as usable. This is raw SQL, because
 * `columns` and `joined` are SQL fragments.
 */
export const FIND_WALLABAG_CALLER: CallerStatement = (listOf) => {
  const { columns, joined } = listOf('users.id');
  return `
  SELECT key.id, key.permissions, key.dialect, key.max_count AS "maxCount", key.default_count AS "defaultCount",
    users.id AS user_id, users.name, users.email, users.created_at,
    token.access_expires_at <= now() AS is_expired,
    CASE WHEN coalesce(granted.last_used_at < now() - interval '10 minutes', true) THEN granted.id END AS grant_to_touch${columns}
  FROM wallabag_tokens token
    JOIN grants granted ON granted.id = token.grant_id
    JOIN consumer_keys key ON key.id = granted.consumer_key_id AND key.kind = 'client' AND ${isUsable('key')}
    JOIN users ON users.id = granted.user_id AND users.id = coalesce(key.owner_id, users.id)
      AND users.disabled_at IS NULL
    LEFT JOIN consumer_keys password ON password.id = token.password_key_id
    ${joined}
  WHERE token.access_hash = $1 AND ${isUsable('password')}`;
};

/**
 * Exchanges a refresh token. This is raw SQL, because the statement must check and increase the number of exchanges in
 * one step: parallel exchanges could otherwise both succeed.
 */
export const EXCHANGE_REFRESH_TOKEN = `
  UPDATE wallabag_tokens SET refreshes = refreshes + 1, refreshed_at = coalesce(refreshed_at, now())
  WHERE id = $1 AND refresh_expires_at > now()
    AND (refreshes = 0 OR (refreshes = 1 AND refreshed_at > now() - make_interval(secs => $2)))
  RETURNING id`;

/** Deletes the oldest tokens of a user. This is raw SQL, because TypeORM cannot delete rows by their order. */
export const FORGET_OLDEST_TOKENS = `
  DELETE FROM wallabag_tokens WHERE id IN (
    SELECT token.id FROM wallabag_tokens token JOIN grants granted ON granted.id = token.grant_id
    WHERE granted.user_id = $1 ORDER BY token.id DESC OFFSET $2)`;
