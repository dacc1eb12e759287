import { Injectable } from '@nestjs/common';

import { Database } from '../platform/database/database.js';
import { InvalidCredentialsError } from './auth.errors.js';
import { AuthenticationService } from './authentication.service.js';
import type { User } from './entities/user.entity.js';
import { Passwords, requireAcceptable } from './passwords.js';
import { UserRepository } from './user.repository.js';

/** The current password of an account and its new password. */
interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

/** Changes that users make to their own accounts. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly authentication: AuthenticationService,
  ) {}

  /**
   * Changes the password and signs the user out everywhere. Returns the updated user, so that the caller can begin a
   * new session.
   * @throws ValidationFailedError if the new password is not acceptable.
   * @throws InvalidCredentialsError if the current password is wrong.
   */
  async changePassword({ email, name }: User, { current, next }: PasswordChange): Promise<User> {
    requireAcceptable(next, { email, name });
    const user = await this.authentication.byPassword(email, current);
    if (user === undefined) {
      throw new InvalidCredentialsError();
    }
    return this.replacePassword(user, await this.passwords.hash(next));
  }

  /** @throws InvalidCredentialsError if the user was signed out, or the password was changed, while this call ran. */
  private replacePassword(user: User, passwordHash: string): Promise<User> {
    return this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      const locked = await users.lockSignedIn(user);
      await users.replacePassword(user.id, passwordHash);
      return Object.assign(locked, { passwordHash, tokenVersion: user.tokenVersion + 1 });
    });
  }
}
