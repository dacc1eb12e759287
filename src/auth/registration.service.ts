import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import type { User } from './entities/user.entity.js';
import { Passwords } from './passwords.js';
import type { Registration } from './registration.js';
import { UserStore } from './user.store.js';

@Injectable()
export class RegistrationService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
  ) {}

  /** Throws EmailTakenError. */
  async register({ name, email, password }: Registration): Promise<User> {
    const passwordHash = await this.passwords.hash(password);
    return this.database.write((manager) =>
      new UserStore(manager).insert({ name, email, passwordHash }),
    );
  }
}
