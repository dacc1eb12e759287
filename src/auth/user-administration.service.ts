import { Injectable } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { ValidationFailedError } from '../common/common.errors.js';
import { Database } from '../database/database.js';
import { UserNotFoundError } from './auth.errors.js';
import { canonicalEmail } from './email-address.js';
import type { User } from './entities/user.entity.js';
import { passwordError, Passwords } from './passwords.js';
import { UserRepository } from './user.repository.js';

/** What an administrator does to accounts. Each method throws UserNotFoundError. */
@Injectable()
export class UserAdministrationService {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly clock: Clock,
  ) {}

  list(): Promise<User[]> {
    return this.users.find({ order: { id: 'ASC' } });
  }

  /** Throws UserNotFoundError. */
  async find(email: string): Promise<User> {
    const user = await this.users.findOneBy({ email: canonicalEmail(email) });
    if (user === null) {
      throw new UserNotFoundError(email);
    }
    return user;
  }

  /** The data stays; the user is signed out, and cannot log in. */
  disable(email: string): Promise<void> {
    return this.change(email, async (users, { id, disabledAt }) => {
      await users.update({ id }, { disabledAt: disabledAt ?? this.clock.now() });
      await users.signOut(id);
    });
  }

  enable(email: string): Promise<void> {
    return this.change(email, (users, { id }) => users.update({ id }, { disabledAt: null }));
  }

  /** Removes the account with everything that belongs to it. */
  delete(email: string): Promise<void> {
    return this.change(email, (users, { id }) => users.deleteAccount(id));
  }

  /** Throws ValidationFailedError for a password that registration would refuse. */
  async setPassword(email: string, password: string): Promise<void> {
    const error = passwordError(password, canonicalEmail(email));
    if (error !== undefined) {
      throw new ValidationFailedError([`password ${error}`]);
    }
    const passwordHash = await this.passwords.hash(password);
    await this.change(email, async (users, { id }) => {
      await users.update({ id }, { passwordHash });
      await users.signOut(id);
    });
  }

  signOut(email: string): Promise<void> {
    return this.change(email, (users, { id }) => users.signOut(id));
  }

  private change(
    email: string,
    work: (users: UserRepository, user: User) => Promise<unknown>,
  ): Promise<void> {
    return this.database.transaction(async (manager) => {
      const users = manager.withRepository(this.users);
      const found = await users.findOneBy({ email: canonicalEmail(email) });
      const user = found === null ? null : await users.lock(found.id);
      if (user === null) {
        throw new UserNotFoundError(email);
      }
      await work(users, user);
    });
  }
}
