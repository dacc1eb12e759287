import { Repository } from 'typeorm';

import { hashOf, newOpaqueToken } from '../auth/opaque-token.js';
import { queryRows } from '../database/query-rows.js';
import { TOUCH_GRANT } from './consumers.sql.js';
import type { Grant } from './entities/grant.entity.js';
import type { Permission } from './permission.js';

/** An application that may use a user's list. */
export interface GrantedApplication {
  readonly consumerKeyId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly isDisabled: boolean;
  /** When it was given access first. */
  readonly since: Date;
  readonly lastUsedAt: Date | null;
}

/** The access tokens of applications; only their hashes are stored. */
export class GrantRepository extends Repository<Grant> {
  /** The new access token. */
  async issue(userId: string, consumerKeyId: string): Promise<string> {
    const token = newOpaqueToken();
    await this.insert({ userId, consumerKeyId, tokenHash: hashOf(token) });
    return token;
  }

  /** A user may have authorized an application on several devices: it is shown once. */
  applicationsOf(userId: string): Promise<GrantedApplication[]> {
    return this.createQueryBuilder('grant')
      .innerJoin('grant.consumerKey', 'key')
      .select('key.id', 'consumerKeyId')
      .addSelect('key.name', 'name')
      .addSelect('key.permissions', 'permissions')
      .addSelect('key.disabledAt IS NOT NULL', 'isDisabled')
      .addSelect('min(grant.createdAt)', 'since')
      .addSelect('max(grant.lastUsedAt)', 'lastUsedAt')
      .where('grant.userId = :userId', { userId })
      .groupBy('key.id')
      .orderBy('lower(key.name)')
      .addOrderBy('key.id')
      .getRawMany<GrantedApplication>();
  }

  /** Notes that a grant is used. */
  async touch(id: string): Promise<void> {
    await queryRows(this.manager, TOUCH_GRANT, [id]);
  }
}
