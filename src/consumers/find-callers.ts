import type { EntityManager } from 'typeorm';

import type { TokenSubject } from '../auth/access-token-claims.js';
import { run } from '../database/statements.js';
import { type ListHead, listHeadOf } from '../reading-list/entities/list-head.js';
import type { ConsumerKey, PageSize } from './entities/consumer-key.entity.js';

/** What a request says of who calls; without a subject and a token, for nobody. */
export interface CallerClaim {
  readonly keyHash: Buffer;
  /** Of a token that a login gave. */
  readonly subject?: TokenSubject | undefined;
  /** Of a token that a person gave an application. */
  readonly tokenHash?: Buffer;
}

/** An enabled application, the user it acts for if it does, and what that user's list says of itself. */
export interface CallerRow
  extends Pick<ConsumerKey, 'id' | 'permissions' | 'dialect'>, PageSize, ListHead {
  readonly user_id: string | null;
  readonly is_token_of_another: boolean;
  /** A grant whose last use was noted too long ago. */
  readonly grant_to_touch: string | null;
}

type FoundRow = CallerRow | { readonly id: null };

/** One row for each claim, in their order, by unique indexes; without the fences the planner joins whole tables. */
const FIND = `
  SELECT key.id, key.permissions, key.dialect, key."maxCount", key."defaultCount", owner.user_id,
    coalesce(granted.consumer_key_id <> key.id, false) AS is_token_of_another,
    CASE WHEN granted.consumer_key_id = key.id AND owner.user_id IS NOT NULL
      AND coalesce(granted.last_used_at < now() - interval '10 minutes', true) THEN granted.id END AS grant_to_touch,
    ${listHeadOf('list', 'list.locked_by')}
  FROM unnest($1::bytea[], $2::bigint[], $3::int[], $4::bytea[]) WITH ORDINALITY
    AS claim (key_hash, user_id, session_epoch, token_hash, place)
  LEFT JOIN LATERAL (SELECT id, permissions, dialect, max_count AS "maxCount", default_count AS "defaultCount"
    FROM consumer_keys WHERE key_hash = claim.key_hash AND disabled_at IS NULL OFFSET 0) key ON true
  LEFT JOIN LATERAL (SELECT * FROM grants WHERE token_hash = claim.token_hash OFFSET 0) granted ON true
  LEFT JOIN LATERAL (SELECT id AS user_id FROM users
    WHERE id = coalesce(claim.user_id, granted.user_id) AND disabled_at IS NULL
      AND session_epoch = coalesce(claim.session_epoch, session_epoch) OFFSET 0) owner ON true
  LEFT JOIN LATERAL (SELECT *, xmax AS locked_by FROM lists WHERE user_id = owner.user_id OFFSET 0) list ON true
  ORDER BY claim.place`;

/** Finds many callers in one statement; undefined for an unknown or disabled consumer key. */
export async function findCallers(
  manager: EntityManager,
  claims: readonly CallerClaim[],
): Promise<(CallerRow | undefined)[]> {
  const values = [
    claims.map(({ keyHash }) => keyHash),
    claims.map(({ subject }) => subject?.userId),
    claims.map(({ subject }) => subject?.sessionEpoch),
    claims.map(({ tokenHash }) => tokenHash),
  ];
  const rows = await run<FoundRow>(manager, { text: FIND, values });
  return rows.map((row) => (row.id === null ? undefined : row));
}
