import { Injectable } from '@nestjs/common';

import { ValidationFailedError } from '../common/common.errors.js';
import { Database } from '../database/database.js';
import { InvalidCredentialsError } from './auth.errors.js';
import type { User } from './entities/user.entity.js';
import { Identities } from './identities.js';
import { passwordFault } from './password-rules.js';
import { Passwords } from './passwords.js';
import { signOutEverywhere } from './sign-out.service.js';
import { UserStore } from './user.store.js';

/** The password that a person has, and the one that they want. */
export interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly database: Database,
    private readonly identities: Identities,
    private readonly passwords: Passwords,
  ) {}

  /**
   * Changes the password, signs out everywhere, and gives the user to begin a new session with.
   * Throws ValidationFailedError, and InvalidCredentialsError for a wrong current password.
   */
  async change({ email }: User, { current, next }: PasswordChange): Promise<User> {
    const fault = passwordFault(next, email);
    if (fault !== undefined) {
      throw new ValidationFailedError([`password ${fault}`]);
    }
    const user = await this.identities.byPassword(email, current);
    if (user === undefined) {
      throw new InvalidCredentialsError();
    }
    return this.replace(user, await this.passwords.hash(next));
  }

  /** A sign-out or another change in the meantime ends this one. */
  private replace({ id, sessionEpoch }: User, passwordHash: string): Promise<User> {
    return this.database.write(async (manager) => {
      const users = new UserStore(manager);
      const locked = await users.lock(id);
      if (locked?.disabledAt !== null || locked.sessionEpoch !== sessionEpoch) {
        throw new InvalidCredentialsError();
      }
      await users.update(id, { passwordHash });
      await signOutEverywhere(manager, id);
      return Object.assign(locked, { passwordHash, sessionEpoch: sessionEpoch + 1 });
    });
  }
}
