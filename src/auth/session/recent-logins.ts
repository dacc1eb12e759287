import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { Clock } from '../../platform/common/clock.js';
import type { User } from '../entities/user.entity.js';
import { SecondFactorRequirement } from '../second-factor/second-factor-requirement.js';
import { type ConfirmationWays, ConfirmationWaysOfUsers } from './confirmation-ways.js';

/** The time in milliseconds for which a login or a confirmation allows changes of security. */
const RECENT_MS = 10 * 60 * 1000;

/** Decides if a user must prove the identity again before a change of security (docs/decisions/0128). */
@Injectable()
export class RecentLogins {
  constructor(
    private readonly ways: ConfirmationWaysOfUsers,
    private readonly clock: Clock,
    private readonly requirement: SecondFactorRequirement,
  ) {}

  /** Returns true if the user of the session has proved the identity in the last 10 minutes. */
  isRecent({ currentSession }: Request): boolean {
    const provenAt = currentSession?.provenAt ?? null;
    return provenAt !== null && this.clock.now().getTime() - provenAt.getTime() < RECENT_MS;
  }

  /**
   * Returns true if the user must prove the identity again before a change of security, or must use a second factor that
   * the operator requires.
   */
  async isDue(request: Request, user: User): Promise<boolean> {
    const isFull =
      this.isRecent(request) && (await this.requirement.stateOf(request, user)) !== 'unproven';
    return !isFull && isRequired(request, await this.ways.of(user));
  }

  /**
   * Returns true if the user must prove the identity again before a change whose form contains the password. The
   * password is enough unless the user has a second factor.
   */
  async isDueBesidesPassword(request: Request, user: User): Promise<boolean> {
    if (this.isRecent(request)) {
      return false;
    }
    const ways = await this.ways.of(user);
    const isProvenByForm = ways.byPassword && !ways.byCode;
    return !isProvenByForm && isRequired(request, ways);
  }
}

/** Returns false if a proxy logs the user in, and the user has no other way to prove the identity. */
const isRequired = (
  { session }: Request,
  { byPassword, byCode, byIssuer, byPasskey }: ConfirmationWays,
): boolean => session.loginBy !== 'proxy' || byPassword || byCode || byIssuer || byPasskey;
