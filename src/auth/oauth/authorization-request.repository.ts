import { IsNull, Raw } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { deleteInBatches } from '../../platform/database/delete-in-batches.js';
import type { Permission } from '../consumers/permission.js';
import { hashOf, newOpaqueToken } from '../opaque-token.js';
import { AuthorizationRequest, type Decision } from './entities/authorization-request.entity.js';

/** An application's request for access to a user's list. `ttlSeconds` is the lifetime of the request code. */
export interface NewRequest {
  readonly consumerKeyId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly ttlSeconds: number;
}

/** A stored request for access, with the application that sent it. */
export interface FoundRequest {
  readonly consumerKeyId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly isDisabled: boolean;
  readonly isKeyExpired: boolean;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly userId: string | null;
  readonly decision: Decision | null;
  readonly isUsed: boolean;
  readonly isExpired: boolean;
}

const IS_OPEN = Raw((column) => `${column} > now()`);

/** Stores the requests of applications for access to a user's list. Only the hashes of the request codes are stored. */
export class AuthorizationRequestRepository extends CustomRepository<AuthorizationRequest> {
  static readonly entity = AuthorizationRequest;

  /** Stores a request for access and returns its generated code. */
  async issue({ ttlSeconds, state, ...request }: NewRequest): Promise<string> {
    const code = newOpaqueToken();
    await this.createQueryBuilder()
      .insert()
      .values({
        ...request,
        state: state ?? null,
        codeHash: hashOf(code),
        expiresAt: () => 'now() + make_interval(secs => :ttlSeconds)',
      })
      .setParameter('ttlSeconds', ttlSeconds)
      .execute();
    return code;
  }

  findByCode(code: string): Promise<FoundRequest | undefined> {
    return this.createQueryBuilder('request')
      .innerJoin('request.consumerKey', 'key')
      .select('key.id', 'consumerKeyId')
      .addSelect('key.name', 'name')
      .addSelect('key.permissions', 'permissions')
      .addSelect('key.disabledAt IS NOT NULL', 'isDisabled')
      .addSelect('coalesce(key.expiresAt <= now(), false)', 'isKeyExpired')
      .addSelect('request.redirectUri', 'redirectUri')
      .addSelect('request.state', 'state')
      .addSelect('request.userId', 'userId')
      .addSelect('request.decision', 'decision')
      .addSelect('request.usedAt IS NOT NULL', 'isUsed')
      .addSelect('request.expiresAt <= now()', 'isExpired')
      .where('request.codeHash = :codeHash', { codeHash: hashOf(code) })
      .getRawOne<FoundRequest>();
  }

  /**
   * Stores the user's answer to a request for access. Does nothing if the request already has an
   * answer or has expired.
   */
  async decide(code: string, decision: Decision, userId: string): Promise<boolean> {
    const { affected } = await this.update(
      { codeHash: hashOf(code), decision: IsNull(), expiresAt: IS_OPEN },
      { decision, userId },
    );
    return affected === 1;
  }

  /**
   * Withdraws the user's consent for each request whose code is not exchanged for a token yet:
   * changes the answer to "rejected". If `consumerKeyId` is set, changes only the requests of this
   * application.
   */
  async withdraw(userId: string, consumerKeyId?: string): Promise<void> {
    const ofOne = consumerKeyId === undefined ? {} : { consumerKeyId };
    const agreed = { userId, decision: 'authorized', usedAt: IsNull(), ...ofOne } as const;
    await this.update(agreed, { decision: 'rejected' });
  }

  /** Marks a request code as exchanged for a token. Returns false if another call has already exchanged the code. */
  async use(code: string): Promise<boolean> {
    const { affected } = await this.update(
      { codeHash: hashOf(code), decision: 'authorized', usedAt: IsNull(), expiresAt: IS_OPEN },
      { usedAt: () => 'now()' },
    );
    return affected === 1;
  }

  /**
   * Deletes requests for access one day after they expire. Until then, the consent page can show
   * their outcome.
   */
  async deleteOld(): Promise<void> {
    const expiresAt = Raw((column) => `${column} < now() - interval '1 day'`);
    await deleteInBatches(this, { expiresAt });
  }
}
