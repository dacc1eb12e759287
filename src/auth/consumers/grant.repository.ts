import { Logger } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { hashOf, newOpaqueToken } from '../opaque-token.js';
import { TOUCH_GRANT } from './consumers.sql.js';
import type { KeyKind } from './entities/consumer-key.entity.js';
import { Grant } from './entities/grant.entity.js';
import type { Permission } from './permission.js';

/** An application, or a personal key, that may use the list of a user. */
export interface GrantedApplication {
  readonly consumerKeyId: string;
  readonly name: string;
  readonly kind: KeyKind;
  /**
   * The user name that an application password accepts in addition to the email address. Null if the password has no
   * user name, and for keys of other kinds.
   */
  readonly loginName: string | null;
  readonly permissions: readonly Permission[];
  readonly isDisabled: boolean;
  /** The time from which on the key does not work any more. Null if it never expires. */
  readonly expiresAt: Date | null;
  readonly isExpired: boolean;
  /** The time at which the user first authorized the application. */
  readonly since: Date;
  readonly lastUsedAt: Date | null;
}

const logger = new Logger('Grants');

/** Stores the hashes of the access tokens that users have granted to applications. */
export class GrantRepository extends CustomRepository<Grant> {
  static readonly entity = Grant;

  /**
   * Creates an access token for an application, stores its hash and returns it. The caller may pass
   * an existing token, such as an application password.
   */
  async issue(
    userId: string,
    consumerKeyId: string,
    token: string = newOpaqueToken(),
  ): Promise<string> {
    await this.insert({ userId, consumerKeyId, tokenHash: hashOf(token) });
    return token;
  }

  /**
   * Returns the applications that the user has authorized. An application on several devices is
   * listed once.
   */
  applicationsOf(userId: string): Promise<GrantedApplication[]> {
    return this.grantedBy(userId).andWhere('key.ownerId IS NULL').getRawMany<GrantedApplication>();
  }

  personalKeysOf(userId: string): Promise<GrantedApplication[]> {
    return this.grantedBy(userId)
      .andWhere('key.ownerId = grant.userId')
      .getRawMany<GrantedApplication>();
  }

  private grantedBy(userId: string): SelectQueryBuilder<Grant> {
    return this.createQueryBuilder('grant')
      .innerJoin('grant.consumerKey', 'key')
      .select('key.id', 'consumerKeyId')
      .addSelect('key.name', 'name')
      .addSelect('key.kind', 'kind')
      .addSelect('key.loginName', 'loginName')
      .addSelect('key.permissions', 'permissions')
      .addSelect('key.disabledAt IS NOT NULL', 'isDisabled')
      .addSelect('key.expiresAt', 'expiresAt')
      .addSelect('coalesce(key.expiresAt <= now(), false)', 'isExpired')
      .addSelect('min(grant.createdAt)', 'since')
      .addSelect('max(grant.lastUsedAt)', 'lastUsedAt')
      .where('grant.userId = :userId', { userId })
      .groupBy('key.id')
      .orderBy('lower(key.name)')
      .addOrderBy('key.id');
  }

  /** Stores the current time as the last use of the grant. If the write fails, the API call still succeeds. */
  async touch(id: string): Promise<void> {
    try {
      await queryRows(this.manager, TOUCH_GRANT, [id]);
    } catch (error) {
      logger.warn(`the use of grant ${id} is not noted: ${String(error)}`);
    }
  }
}
