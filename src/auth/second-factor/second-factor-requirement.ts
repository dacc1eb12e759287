import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { EntityManager } from 'typeorm';

import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { message } from '../../platform/i18n/message.js';
import { Passkey } from '../entities/passkey.entity.js';
import { SecondFactor } from '../entities/second-factor.entity.js';
import { Role, type User } from '../entities/user.entity.js';
import { UserRepository } from '../user.repository.js';

/**
 * How a session meets the requirement of a second factor. `missing` means that the user has no second factor, and
 * `unproven` means that the user has one, but has not used it in this session.
 */
export type FactorState = 'met' | 'missing' | 'unproven';

/** Decides who needs a second factor to open pages (docs/decisions/0135). */
@Injectable()
export class SecondFactorRequirement {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** Returns true if the operator requires a second factor of this user. */
  appliesTo({ role }: Pick<User, 'role'>): boolean {
    const group = this.config.secondFactorRequiredFor;
    return group === 'everyone' || (group === 'administrators' && role === Role.Administrator);
  }

  /** Logins by an issuer or a proxy always meet the requirement, because these check the second factor themselves. */
  async stateOf(
    { session, currentSession }: Request,
    user: User,
    manager: EntityManager = this.database.manager,
  ): Promise<FactorState> {
    if (!this.appliesTo(user) || session.loginBy !== undefined) {
      return 'met';
    }
    if ((await countFactors(manager, user.id)) === 0) {
      return 'missing';
    }
    return currentSession?.hasSecondFactor === true ? 'met' : 'unproven';
  }

  /**
   * Checks that a user can remove one second factor. The caller must have locked the user.
   * @throws ValidationFailedError if the user needs a second factor and has no other one.
   */
  async requireAnother(manager: EntityManager, user: User): Promise<void> {
    if (this.appliesTo(user) && (await countFactors(manager, user.id)) < 2) {
      const advice = message('secondFactor.last');
      throw new ValidationFailedError([{ text: 'This is the last second factor.', advice }]);
    }
  }

  /** Counts the users who must set up a second factor. Returns undefined if no user needs one. */
  countMissing(): Promise<number | undefined> {
    return countMissing(UserRepository.in(this.database.manager), this.config);
  }
}

/**
 * Counts the enabled users who can log in by password, need a second factor and have none. Returns undefined if no user
 * needs one.
 */
export async function countMissing(
  users: UserRepository,
  { secondFactorRequiredFor: group, passwordLogin }: Config,
): Promise<number | undefined> {
  const roles = group === 'everyone' ? Object.values(Role) : [Role.Administrator];
  return group === 'none' || !passwordLogin ? undefined : users.countWithoutFactor(roles);
}

/** Counts the authenticator app and the passkeys of a user. */
async function countFactors(manager: EntityManager, userId: string): Promise<number> {
  const apps = await manager.countBy(SecondFactor, { userId });
  return apps + (await manager.countBy(Passkey, { userId }));
}
