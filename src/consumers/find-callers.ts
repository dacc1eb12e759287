import type { EntityManager } from 'typeorm';

import type { TokenSubject } from '../auth/access-token-claims.js';
import { run } from '../database/statements.js';
import { type ListHead, listHeadOf } from '../reading-list/entities/list-head.js';
import type { ConsumerKey } from './entities/consumer-key.entity.js';

/** What a request says of who calls. */
export interface CallerClaim {
  readonly keyHash: Buffer;
  /** Undefined when the access token is nobody's. */
  readonly subject: TokenSubject | undefined;
}

/** An enabled application, the user it acts for if it does, and what that user's list says of itself. */
export interface CallerRow extends Pick<ConsumerKey, 'id' | 'permissions' | 'dialect'>, ListHead {
  readonly user_id: string | null;
}

type FoundRow = CallerRow | { readonly id: null };

/** One row for each claim, in their order, by unique indexes; without the fences the planner joins whole tables. */
const FIND = `
  SELECT key.id, key.permissions, key.dialect, owner.user_id, ${listHeadOf('list')}
  FROM unnest($1::bytea[], $2::bigint[], $3::int[]) WITH ORDINALITY AS claim (key_hash, user_id, session_epoch, place)
  LEFT JOIN LATERAL (SELECT id, permissions, dialect FROM consumer_keys
    WHERE key_hash = claim.key_hash AND disabled_at IS NULL OFFSET 0) key ON true
  LEFT JOIN LATERAL (SELECT id AS user_id FROM users
    WHERE id = claim.user_id AND session_epoch = claim.session_epoch AND disabled_at IS NULL OFFSET 0) owner ON true
  LEFT JOIN LATERAL (SELECT * FROM lists WHERE user_id = owner.user_id OFFSET 0) list ON true
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
  ];
  const rows = await run<FoundRow>(manager, { text: FIND, values });
  return rows.map((row) => (row.id === null ? undefined : row));
}
