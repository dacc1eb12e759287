import type { EntityManager } from 'typeorm';

import { violates } from '../database/database-fault.js';
import { allowLongStatements } from '../database/statements.js';
import { EmailTakenError } from './auth.errors.js';
import { User } from './entities/user.entity.js';

/** Of a statement that deletes an account with everything in it. */
const LONGEST_DELETE_SECONDS = 600;

/** What is known of a person at registration. */
export type NewUser = Pick<User, 'name' | 'email' | 'passwordHash'>;

/** The accounts, seen through one connection. */
export class UserStore {
  constructor(private readonly manager: EntityManager) {}

  /** Throws EmailTakenError; the unique constraint decides between two at once. */
  async insert(user: NewUser): Promise<User> {
    const inserted = this.manager.create(User, { ...user, disabledAt: null });
    try {
      await this.manager.insert(User, inserted);
    } catch (error) {
      throw violates(error, 'users_email_key') ? new EmailTakenError() : error;
    }
    return inserted;
  }

  findByEmail(email: string): Promise<User | null> {
    return this.manager.findOneBy(User, { email });
  }

  /** The user while the account is enabled and no sign-out has ended the epoch. */
  async findSignedIn(id: string, sessionEpoch: number): Promise<User | undefined> {
    const user = await this.manager.findOneBy(User, { id, sessionEpoch });
    return user?.disabledAt === null ? user : undefined;
  }

  /**
   * The user, locked until the transaction ends. Every writing path locks this row first, which gives one lock
   * order; NO KEY lets rows that refer to the user be inserted meanwhile.
   */
  lock(id: string): Promise<User | null> {
    return this.manager.findOne(User, { where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  async update(id: string, changes: Partial<Omit<User, 'id'>>): Promise<void> {
    await this.manager.update(User, { id }, changes);
  }

  /** Changes the hash unless the password was changed since it was read. */
  async replaceHash(id: string, passwordHash: string, replacement: string): Promise<void> {
    await this.manager.update(User, { id, passwordHash }, { passwordHash: replacement });
  }

  /** Ends every session and access token of the user. */
  async raiseEpoch(id: string): Promise<void> {
    await this.manager.increment(User, { id }, 'sessionEpoch', 1);
  }

  /** With everything that belongs to the account, which may be millions of rows. */
  async delete(id: string): Promise<void> {
    await allowLongStatements(this.manager, LONGEST_DELETE_SECONDS);
    await this.manager.delete(User, { id });
  }

  list(): Promise<User[]> {
    return this.manager.find(User, { order: { id: 'ASC' } });
  }
}
