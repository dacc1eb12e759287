import type { EntityManager } from 'typeorm';

import { hashOf } from './consumer-key.store.js';
import { Grant } from './entities/grant.entity.js';
import { newOpaqueToken } from './opaque-token.js';
import type { Permission } from './permission.js';

/** An application that may use a person's list. */
export interface GrantedApplication {
  readonly consumerKeyId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly isDisabled: boolean;
  /** When it was given access first. */
  readonly since: Date;
  readonly lastUsedAt: Date | null;
}

/** A person may have authorized an application on several devices: they are one application. */
const LIST = `
  SELECT keys.id AS "consumerKeyId", keys.name, keys.permissions, keys.disabled_at IS NOT NULL AS "isDisabled",
    min(grants.created_at) AS since, max(grants.last_used_at) AS "lastUsedAt"
  FROM grants JOIN consumer_keys keys ON keys.id = grants.consumer_key_id
  WHERE grants.user_id = $1 GROUP BY keys.id ORDER BY lower(keys.name), keys.id`;

/** Two calls at once note the same moment: the second does not wait for it. */
const TOUCH = `
  UPDATE grants SET last_used_at = now() WHERE id =
    (SELECT id FROM grants WHERE id = $1 FOR UPDATE SKIP LOCKED)`;

/** The access tokens of applications, seen through one connection; only their hashes are stored. */
export class GrantStore {
  constructor(private readonly manager: EntityManager) {}

  /** The new access token. */
  async issue(userId: string, consumerKeyId: string): Promise<string> {
    const token = newOpaqueToken();
    await this.manager.insert(Grant, { userId, consumerKeyId, tokenHash: hashOf(token) });
    return token;
  }

  applicationsOf(userId: string): Promise<GrantedApplication[]> {
    return this.manager.query<GrantedApplication[]>(LIST, [userId]);
  }

  async revoke(userId: string, consumerKeyId: string): Promise<void> {
    await this.manager.delete(Grant, { userId, consumerKeyId });
  }

  async revokeAll(userId: string): Promise<void> {
    await this.manager.delete(Grant, { userId });
  }

  /** Notes that a grant is used. */
  async touch(id: string): Promise<void> {
    await this.manager.query(TOUCH, [id]);
  }
}
