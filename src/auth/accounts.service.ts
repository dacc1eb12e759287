import { Injectable } from '@nestjs/common';

import { ValidationFailedError } from '../common/common.errors.js';
import { Database } from '../database/database.js';
import { EmailTakenError, InvalidCredentialsError } from './auth.errors.js';
import { AuthenticationService } from './authentication.service.js';
import type { User } from './entities/user.entity.js';
import { passwordError, Passwords } from './passwords.js';
import type { Registration } from './registration.js';
import { UserRepository } from './user.repository.js';

/** The password that a user has, and the one that they want. */
interface PasswordChange {
  readonly current: string;
  readonly next: string;
}

/** What users do to their own accounts. */
@Injectable()
export class AccountsService {
  /** By email address: of many registrations of one address a single one has its password hashed. */
  private readonly registering = new Map<string, Promise<User>>();

  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly authentication: AuthenticationService,
  ) {}

  /** Throws EmailTakenError, ServiceBusyError. */
  async register(registration: Registration): Promise<User> {
    const { email } = registration;
    for (let other = this.registering.get(email); other; other = this.registering.get(email)) {
      await other.catch(() => undefined);
    }
    const created = this.create(registration);
    this.registering.set(email, created);
    try {
      return await created;
    } finally {
      this.registering.delete(email);
    }
  }

  /** An address that is taken is refused before the password is hashed, which takes longer than all the rest. */
  private async create({ name, email, password }: Registration): Promise<User> {
    if (await this.users.existsBy({ email })) {
      throw new EmailTakenError();
    }
    const passwordHash = await this.passwords.hash(password);
    return this.users.add({ name, email, passwordHash });
  }

  /**
   * Changes the password, signs out everywhere, and gives the user to begin a new session with.
   * Throws ValidationFailedError, and InvalidCredentialsError for a wrong current password.
   */
  async changePassword({ email }: User, { current, next }: PasswordChange): Promise<User> {
    const error = passwordError(next, email);
    if (error !== undefined) {
      throw new ValidationFailedError([`password ${error}`]);
    }
    const user = await this.authentication.byPassword(email, current);
    if (user === undefined) {
      throw new InvalidCredentialsError();
    }
    return this.replacePassword(user, await this.passwords.hash(next));
  }

  /** A sign-out or another change in the meantime ends this one. */
  private replacePassword({ id, tokenVersion }: User, passwordHash: string): Promise<User> {
    return this.database.transaction(async (manager) => {
      const users = manager.withRepository(this.users);
      const locked = await users.lock(id);
      if (locked?.disabledAt !== null || locked.tokenVersion !== tokenVersion) {
        throw new InvalidCredentialsError();
      }
      await users.update({ id }, { passwordHash });
      await users.signOut(id);
      return Object.assign(locked, { passwordHash, tokenVersion: tokenVersion + 1 });
    });
  }
}
