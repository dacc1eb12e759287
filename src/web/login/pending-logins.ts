import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import type { User } from '../../auth/entities/user.entity.js';
import { SecondFactors } from '../../auth/second-factor/second-factors.js';
import { originOf } from '../../auth/session/device.js';
import { UserRepository } from '../../auth/user.repository.js';
import { Clock } from '../../platform/common/clock.js';
import { FormOutdatedError } from '../pages.errors.js';

declare module 'express-session' {
  interface SessionData {
    /** A login with a correct password that still requires the code of the second factor. */
    pendingLogin?: { readonly userId: string; readonly epoch: number; readonly until: number };
  }
}

const WAITS_SECONDS = 5 * 60;

/**
 * Stores a login with a correct password in the encrypted session cookie until the person enters the code of the second
 * factor.
 */
@Injectable()
export class PendingLogins {
  constructor(
    private readonly users: UserRepository,
    private readonly secondFactors: SecondFactors,
    private readonly clock: Clock,
  ) {}

  begin({ session }: Request, user: User): void {
    session.pendingLogin = {
      userId: user.id,
      epoch: user.tokenVersion,
      until: this.clock.seconds() + WAITS_SECONDS,
    };
  }

  /**
   * Returns the user of the login that waits for a code. Returns undefined if the login took too long, if the second
   * factor is off, or if the user was signed out in the meantime, for example by a new password.
   */
  async find({ session }: Request): Promise<User | undefined> {
    const { pendingLogin: pending } = session;
    if (pending === undefined || this.clock.seconds() >= pending.until) {
      return undefined;
    }
    const user = await this.users.findSignedIn(pending.userId, pending.epoch);
    return user !== undefined && (await this.secondFactors.isOn(user)) ? user : undefined;
  }
}

/**
 * Accepts a person who has entered the correct password and must still enter a code. Sets `request.user`, so that
 * ThrottleGuard applies the login limits of this user's account.
 */
@Injectable()
export class PendingLoginGuard implements CanActivate {
  constructor(private readonly pending: PendingLogins) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const user = await this.pending.find(request);
    if (user === undefined) {
      throw new FormOutdatedError();
    }
    user.origin = originOf(request);
    request.user = user;
    return true;
  }
}
