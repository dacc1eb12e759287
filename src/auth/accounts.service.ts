import { Injectable } from '@nestjs/common';

import { Database } from '../platform/database/database.js';
import { InvalidCredentialsError } from './auth.errors.js';
import { AuthenticationService } from './authentication.service.js';
import type { User } from './entities/user.entity.js';
import { Passwords, requireAcceptable } from './passwords.js';
import { UserRepository } from './user.repository.js';

/** The password that a user has, and the one that they want. */
interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

/** What users do to their own accounts. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly authentication: AuthenticationService,
  ) {}

  /**
   * Changes the password, signs out everywhere, and gives the user to begin a new session with.
   * Throws ValidationFailedError, and InvalidCredentialsError for a wrong current password.
   */
  async changePassword({ email, name }: User, { current, next }: PasswordChange): Promise<User> {
    requireAcceptable(next, { email, name });
    const user = await this.authentication.byPassword(email, current);
    if (user === undefined) {
      throw new InvalidCredentialsError();
    }
    return this.replacePassword(user, await this.passwords.hash(next));
  }

  /** A sign-out or another change in the meantime ends this one. */
  private replacePassword(user: User, passwordHash: string): Promise<User> {
    return this.database.transaction(async (manager) => {
      const users = manager.withRepository(this.users);
      const locked = await users.lockSignedIn(user);
      await users.replacePassword(user.id, passwordHash);
      return Object.assign(locked, { passwordHash, tokenVersion: user.tokenVersion + 1 });
    });
  }
}
