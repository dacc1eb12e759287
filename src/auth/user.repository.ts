import { Repository } from 'typeorm';

import { violates } from '../database/database.errors.js';
import { allowLongStatements } from '../database/query-rows.js';
import { EmailTakenError } from './auth.errors.js';
import { RefreshToken } from './entities/refresh-token.entity.js';
import { RotatedRefreshToken } from './entities/rotated-refresh-token.entity.js';
import { type User } from './entities/user.entity.js';

/** Of a statement that deletes an account with everything in it. */
const LONGEST_DELETE_SECONDS = 600;

/** The accounts. */
export class UserRepository extends Repository<User> {
  /** Throws EmailTakenError; the unique constraint decides between two at once. */
  async add(user: Pick<User, 'name' | 'email' | 'passwordHash'>): Promise<User> {
    const added = this.create({ ...user, disabledAt: null });
    try {
      await this.insert(added);
    } catch (error) {
      throw violates(error, 'users_email_key') ? new EmailTakenError() : error;
    }
    return added;
  }

  /** The user while the account is enabled and no sign-out has raised the token version. */
  async findSignedIn(id: string, tokenVersion: number): Promise<User | undefined> {
    const user = await this.findOneBy({ id, tokenVersion });
    return user?.disabledAt === null ? user : undefined;
  }

  /**
   * The user, locked until the transaction ends. Every writing path locks this row first, which gives one lock
   * order; NO KEY lets rows that refer to the user be inserted meanwhile.
   */
  lock(id: string): Promise<User | null> {
    return this.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Ends every session, access token and refresh token of the user. */
  async signOut(id: string): Promise<void> {
    await this.increment({ id }, 'tokenVersion', 1);
    await this.manager.delete(RefreshToken, { userId: id });
    await this.manager.delete(RotatedRefreshToken, { userId: id });
  }

  /** With everything that belongs to the account, which may be millions of rows. */
  async deleteAccount(id: string): Promise<void> {
    await allowLongStatements(this.manager, LONGEST_DELETE_SECONDS);
    await this.delete({ id });
  }
}
