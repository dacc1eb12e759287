import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Database } from '../../platform/database/database.js';
import { type ActingUser, AuditRepository } from '../audit/audit.repository.js';
import type { ConsumerKey } from '../consumers/entities/consumer-key.entity.js';
import { type GrantedApplication, GrantRepository } from '../consumers/grant.repository.js';
import type { Permission } from '../consumers/permission.js';
import { PersonalKeysService } from '../consumers/personal-keys.service.js';
import { AuditKind } from '../entities/audit-kinds.js';
import type { User } from '../entities/user.entity.js';
import { isOpaqueToken } from '../opaque-token.js';
import { UserRepository } from '../user.repository.js';
import {
  AuthorizationRequestRepository,
  type FoundRequest,
} from './authorization-request.repository.js';
import type { Decision } from './entities/authorization-request.entity.js';

/** The state of an application's request for access to a user's list. */
export type AuthorizationStatus =
  'open' | 'authorized' | 'rejected' | 'used' | 'expired' | KeyProblem;

/** The reason why the key of the application does not work. */
type KeyProblem = 'disabled' | 'keyExpired';

/** An application's request for access, as the consent page shows it to the user. */
export interface Authorization {
  readonly status: AuthorizationStatus;
  readonly application: { readonly name: string; readonly permissions: readonly Permission[] };
  readonly redirectUri: string;
  /** The id of the user who has authorized or rejected the request. Null if the request has no answer yet. */
  readonly answeredBy: string | null;
}

/**
 * Manages the requests of applications for access to a list, and the applications that have access.
 */
@Injectable()
export class AuthorizationsService {
  constructor(
    private readonly database: Database,
    private readonly requests: AuthorizationRequestRepository,
    private readonly grants: GrantRepository,
    private readonly personalKeys: PersonalKeysService,
  ) {}

  /**
   * Returns the request for access with this code. Returns undefined if the code is unknown, or if the request was
   * deleted after its expiry.
   */
  async find(code: string): Promise<Authorization | undefined> {
    const found = isOpaqueToken(code) ? await this.requests.findByCode(code) : undefined;
    return (
      found && {
        status: statusOf(found),
        application: { name: found.name, permissions: found.permissions },
        redirectUri: found.redirectUri,
        answeredBy: found.userId,
      }
    );
  }

  /**
   * Stores the user's answer to a request for access if the request is open. Returns true if
   * `decision` is now the stored answer of this user, so a repeated call also returns true.
   * @throws InvalidCredentialsError if the user was signed out while this call ran, because a
   * signed-out user must not grant access.
   */
  decide(code: string, decision: Decision, user: User): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      const requests = AuthorizationRequestRepository.in(manager);
      await UserRepository.in(manager).lockSignedIn(user);
      const asked = await requests.findByCode(code);
      const isOpen = asked !== undefined && statusOf(asked) === 'open';
      const isNew = isOpen && (await requests.decide(code, decision, user.id));
      const found = await requests.findByCode(code);
      if (isNew && found !== undefined && decision === 'authorized') {
        const named = { key: found.consumerKeyId, name: found.name };
        await AuditRepository.in(manager).act(user, AuditKind.ConsentGiven, named);
      }
      return found?.decision === decision && found.userId === user.id;
    });
  }

  /** Returns the applications that have access to the user's list. */
  applicationsOf(userId: string): Promise<GrantedApplication[]> {
    return this.grants.applicationsOf(userId);
  }

  /**
   * Revokes the access of one application to the user's list. If `consumerKeyId` is missing, revokes the access of all
   * applications and personal keys. Also marks authorized requests as rejected if their codes are not exchanged yet.
   */
  revoke(user: ActingUser, consumerKeyId?: string): Promise<void> {
    return this.database.transaction(async (manager) => {
      await UserRepository.in(manager).lock(user.id);
      const key = await grantedKey(manager, user.id, consumerKeyId);
      await this.revokeIn(manager, user.id, consumerKeyId);
      if (consumerKeyId === undefined || key !== undefined) {
        await recordRevocation(manager, user, key);
      }
    });
  }

  /**
   * Revokes the access of all applications and personal keys in the transaction of the caller. The caller must have
   * locked the user.
   */
  async revokeAllIn(manager: EntityManager, user: ActingUser): Promise<void> {
    await this.revokeIn(manager, user.id);
    await recordRevocation(manager, user, undefined);
  }

  private async revokeIn(
    manager: EntityManager,
    userId: string,
    consumerKeyId?: string,
  ): Promise<void> {
    const ofOne = consumerKeyId === undefined ? {} : { consumerKeyId };
    await AuthorizationRequestRepository.in(manager).withdraw(userId, consumerKeyId);
    await this.personalKeys.delete(manager, userId, consumerKeyId);
    await GrantRepository.in(manager).delete({ userId, ...ofOne });
  }
}

/** Returns the key if the user has granted it access. */
async function grantedKey(
  manager: EntityManager,
  userId: string,
  consumerKeyId: string | undefined,
): Promise<ConsumerKey | undefined> {
  const grant =
    consumerKeyId === undefined
      ? null
      : await GrantRepository.in(manager).findOne({
          where: { userId, consumerKeyId },
          relations: { consumerKey: true },
        });
  return grant?.consumerKey;
}

async function recordRevocation(
  manager: EntityManager,
  user: ActingUser,
  key: ConsumerKey | undefined,
): Promise<void> {
  const kind = key?.ownerId === user.id ? AuditKind.KeyRevoked : AuditKind.ConsentRevoked;
  const details = key === undefined ? {} : { key: key.id, name: key.name };
  await AuditRepository.in(manager).act(user, kind, details);
}

function statusOf(request: FoundRequest): AuthorizationStatus {
  if (request.isUsed) {
    return 'used';
  }
  if (request.isExpired) {
    return 'expired';
  }
  return keyProblemOf(request) ?? request.decision ?? 'open';
}

function keyProblemOf({ isDisabled, isKeyExpired }: FoundRequest): KeyProblem | undefined {
  if (isDisabled) {
    return 'disabled';
  }
  return isKeyExpired ? 'keyExpired' : undefined;
}
