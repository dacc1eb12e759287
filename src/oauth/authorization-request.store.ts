import { type EntityManager, IsNull } from 'typeorm';

import { hashOf } from '../consumers/consumer-key.store.js';
import { newOpaqueToken } from '../consumers/opaque-token.js';
import type { Permission } from '../consumers/permission.js';
import { AuthorizationRequest, type Decision } from './entities/authorization-request.entity.js';

/** What an application asks for, and how long it may take. */
export interface NewRequest {
  readonly consumerKeyId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly ttlSeconds: number;
}

/** A request with the application that made it. */
export interface FoundRequest {
  readonly consumerKeyId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly isDisabled: boolean;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly userId: string | null;
  readonly decision: Decision | null;
  readonly isUsed: boolean;
  readonly isExpired: boolean;
}

const INSERT = `
  INSERT INTO authorization_requests (code_hash, consumer_key_id, redirect_uri, state, expires_at)
  VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`;

const FIND = `
  SELECT keys.id AS "consumerKeyId", keys.name, keys.permissions, keys.disabled_at IS NOT NULL AS "isDisabled",
    requests.redirect_uri AS "redirectUri", requests.state, requests.user_id AS "userId", requests.decision,
    requests.used_at IS NOT NULL AS "isUsed", requests.expires_at <= now() AS "isExpired"
  FROM authorization_requests requests JOIN consumer_keys keys ON keys.id = requests.consumer_key_id
  WHERE requests.code_hash = $1`;

const SWEEP = `
  DELETE FROM authorization_requests WHERE code_hash IN
    (SELECT code_hash FROM authorization_requests
     WHERE expires_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED)`;

/** The requests of applications, seen through one connection; only the hashes of their codes are stored. */
export class AuthorizationRequestStore {
  constructor(private readonly manager: EntityManager) {}

  /** The new code. */
  async insert({ consumerKeyId, redirectUri, state, ttlSeconds }: NewRequest): Promise<string> {
    const code = newOpaqueToken();
    const values = [hashOf(code), consumerKeyId, redirectUri, state, ttlSeconds];
    await this.manager.query(INSERT, values);
    return code;
  }

  async find(code: string): Promise<FoundRequest | undefined> {
    const [row] = await this.manager.query<FoundRequest[]>(FIND, [hashOf(code)]);
    return row;
  }

  /** Notes the answer, unless there is one already or it is too late. */
  async decide(code: string, decision: Decision, userId: string): Promise<void> {
    await this.manager
      .createQueryBuilder()
      .update(AuthorizationRequest)
      .set({ decision, userId })
      .where('codeHash = :hash AND decision IS NULL AND expiresAt > now()', { hash: hashOf(code) })
      .execute();
  }

  /** Takes back what the person has agreed to and nobody has exchanged, of one application or of all. */
  async withdraw(userId: string, consumerKeyId?: string): Promise<void> {
    const ofOne = consumerKeyId === undefined ? {} : { consumerKeyId };
    const agreed = { userId, decision: 'authorized', usedAt: IsNull(), ...ofOne } as const;
    await this.manager.update(AuthorizationRequest, agreed, { decision: 'rejected' });
  }

  /** Tells whether the code was the caller's to use: of two at once, one. */
  async use(code: string): Promise<boolean> {
    const { affected } = await this.manager
      .createQueryBuilder()
      .update(AuthorizationRequest)
      .set({ usedAt: () => 'now()' })
      .where(`codeHash = :hash AND decision = 'authorized' AND usedAt IS NULL`, {
        hash: hashOf(code),
      })
      .andWhere('expiresAt > now()')
      .execute();
    return affected === 1;
  }

  /** Forgets requests a day after their end; until then a person is told what became of theirs. */
  async sweep(): Promise<void> {
    await this.manager.query(SWEEP);
  }
}
