import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Clock } from '../common/clock.js';
import { ValidationFailedError } from '../common/common.errors.js';
import { Database } from '../database/database.js';
import { UserNotFoundError } from './auth.errors.js';
import { canonicalEmail } from './email-address.js';
import type { User } from './entities/user.entity.js';
import { passwordFault } from './password-rules.js';
import { Passwords } from './passwords.js';
import { signOutEverywhere } from './sign-out.service.js';
import { UserStore } from './user.store.js';

/** What an administrator does to accounts. Each method throws UserNotFoundError. */
@Injectable()
export class UserAdministrationService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly clock: Clock,
  ) {}

  list(): Promise<User[]> {
    return this.database.read((manager) => new UserStore(manager).list());
  }

  /** Throws UserNotFoundError. */
  async find(email: string): Promise<User> {
    const user = await this.database.read((manager) =>
      new UserStore(manager).findByEmail(canonicalEmail(email)),
    );
    if (user === null) {
      throw new UserNotFoundError(email);
    }
    return user;
  }

  /** The data stays; nobody can log in, and whoever is logged in is signed out. */
  disable(email: string): Promise<void> {
    return this.change(email, async (manager, user) => {
      await new UserStore(manager).update(user.id, {
        disabledAt: user.disabledAt ?? this.clock.now(),
      });
      await signOutEverywhere(manager, user.id);
    });
  }

  enable(email: string): Promise<void> {
    return this.change(email, (manager, user) =>
      new UserStore(manager).update(user.id, { disabledAt: null }),
    );
  }

  /** Removes the account with everything that belongs to it. */
  delete(email: string): Promise<void> {
    return this.change(email, (manager, user) => new UserStore(manager).delete(user.id));
  }

  /** Throws ValidationFailedError for a password that registration would refuse. */
  async setPassword(email: string, password: string): Promise<void> {
    const fault = passwordFault(password, canonicalEmail(email));
    if (fault !== undefined) {
      throw new ValidationFailedError([`password ${fault}`]);
    }
    const passwordHash = await this.passwords.hash(password);
    await this.change(email, async (manager, user) => {
      await new UserStore(manager).update(user.id, { passwordHash });
      await signOutEverywhere(manager, user.id);
    });
  }

  signOut(email: string): Promise<void> {
    return this.change(email, (manager, user) => signOutEverywhere(manager, user.id));
  }

  private change(
    email: string,
    work: (manager: EntityManager, user: User) => Promise<void>,
  ): Promise<void> {
    return this.database.write(async (manager) => {
      const users = new UserStore(manager);
      const found = await users.findByEmail(canonicalEmail(email));
      const user = found === null ? null : await users.lock(found.id);
      if (user === null) {
        throw new UserNotFoundError(email);
      }
      await work(manager, user);
    });
  }
}
