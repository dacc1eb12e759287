import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { EmailTakenError } from './auth.errors.js';
import type { User } from './entities/user.entity.js';
import { Passwords } from './passwords.js';
import type { Registration } from './registration.js';
import { UserStore } from './user.store.js';

@Injectable()
export class RegistrationService {
  /** By email address: of many calls for one address a single one has its password hashed. */
  private readonly underWay = new Map<string, Promise<User>>();

  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
  ) {}

  /** Throws EmailTakenError, ServiceBusyError. */
  async register(registration: Registration): Promise<User> {
    const { email } = registration;
    for (let other = this.underWay.get(email); other; other = this.underWay.get(email)) {
      await other.catch(() => undefined);
    }
    const registering = this.create(registration);
    this.underWay.set(email, registering);
    try {
      return await registering;
    } finally {
      this.underWay.delete(email);
    }
  }

  /** An address that is taken is refused before the password is hashed, which takes longer than all the rest. */
  private async create({ name, email, password }: Registration): Promise<User> {
    const owner = await this.database.read((manager) => new UserStore(manager).findByEmail(email));
    if (owner !== null) {
      throw new EmailTakenError();
    }
    const passwordHash = await this.passwords.hash(password);
    return this.database.write((manager) =>
      new UserStore(manager).insert({ name, email, passwordHash }),
    );
  }
}
