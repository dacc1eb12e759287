import { ILike, IsNull, MoreThan, Not, Repository } from 'typeorm';

import { violates } from '../platform/database/database.errors.js';
import { allowLongStatements, lockTable } from '../platform/database/query-rows.js';
import { EmailTakenError, InvalidCredentialsError } from './auth.errors.js';
import { LinkPurpose, OneTimeLink } from './entities/one-time-link.entity.js';
import { RefreshToken } from './entities/refresh-token.entity.js';
import { RotatedRefreshToken } from './entities/rotated-refresh-token.entity.js';
import { SecondFactor } from './entities/second-factor.entity.js';
import { Session } from './entities/session.entity.js';
import { Role, type User } from './entities/user.entity.js';

/** Time limit of the statement that deletes an account with all its data. */
const LONGEST_DELETE_SECONDS = 600;

/** Selects a page of users. */
export interface UserPage {
  /** The page begins after this id. */
  readonly after: string;
  /** Text that the address or the name must contain. Empty for all users. */
  readonly text: string;
  readonly size: number;
}

const ENABLED_ADMINISTRATOR = { role: Role.Administrator, disabledAt: IsNull() };

export class UserRepository extends Repository<User> {
  /**
   * Adds a user. If two calls add the same address at once, the unique constraint rejects one.
   * @throws EmailTakenError if the address has an account.
   */
  async add(
    user: Pick<User, 'name' | 'email' | 'passwordHash' | 'role' | 'emailVerifiedAt'>,
  ): Promise<User> {
    const added = this.create({ ...user, disabledAt: null });
    try {
      await this.insert(added);
    } catch (error) {
      throw violates(error, 'users_email_key') ? new EmailTakenError() : error;
    }
    return added;
  }

  /**
   * Returns whether there is no user. If so, no other transaction can add one until this one ends. So only one user is
   * the first.
   */
  async lockIfEmpty(): Promise<boolean> {
    if (await this.exists()) {
      return false;
    }
    await lockTable(this.manager, this.target);
    return !(await this.exists());
  }

  /** Returns the user if the account is enabled and no sign-out has raised the token version. */
  async findSignedIn(id: string, tokenVersion: number): Promise<User | undefined> {
    const user = await this.findOneBy({ id, tokenVersion });
    return user?.disabledAt === null ? user : undefined;
  }

  /**
   * Returns the user, locked until the transaction ends. Every writing path locks this row first, which gives one lock
   * order. With NO KEY, other transactions can still insert rows that refer to the user.
   */
  lock(id: string): Promise<User | null> {
    return this.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /**
   * Locks the user like `lock`.
   * @throws InvalidCredentialsError if the account is disabled, or a sign-out has raised the token version.
   */
  async lockSignedIn({ id, tokenVersion }: Pick<User, 'id' | 'tokenVersion'>): Promise<User> {
    const locked = await this.lock(id);
    if (locked?.disabledAt !== null || locked.tokenVersion !== tokenVersion) {
      throw new InvalidCredentialsError();
    }
    return locked;
  }

  /**
   * Locks one user and all enabled administrators, in the order of their ids. If two administrators end each other's
   * role at once, the second one waits, and then no longer has the role.
   */
  async lockWithAdministrators(id: string): Promise<void> {
    await this.find({
      select: { id: true },
      where: [{ id }, ENABLED_ADMINISTRATOR],
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
  }

  hasAdministratorBesides(id: string): Promise<boolean> {
    return this.existsBy({ ...ENABLED_ADMINISTRATOR, id: Not(id) });
  }

  /** Returns a page of users in the order of their ids, filtered by address or name. */
  page({ after, text, size }: UserPage): Promise<User[]> {
    const beyond = { id: MoreThan(after) };
    const contains = ILike(`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`);
    return this.find({
      where:
        text === ''
          ? beyond
          : [
              { ...beyond, email: contains },
              { ...beyond, name: contains },
            ],
      order: { id: 'ASC' },
      take: size,
    });
  }

  /** Ends every session, access token and refresh token of the user. */
  async signOut(id: string): Promise<void> {
    await this.increment({ id }, 'tokenVersion', 1);
    await this.manager.delete(Session, { userId: id });
    await this.manager.delete(RefreshToken, { userId: id });
    await this.manager.delete(RotatedRefreshToken, { userId: id });
  }

  /** Replaces the password, deletes the links that reset it, and signs the user out everywhere. */
  async replacePassword(id: string, passwordHash: string): Promise<void> {
    await this.update({ id }, { passwordHash });
    await this.endResetLinks(id);
    await this.signOut(id);
  }

  async endResetLinks(userId: string): Promise<void> {
    await this.manager.delete(OneTimeLink, { userId, purpose: LinkPurpose.PasswordReset });
  }

  /** Keeps the time of an earlier verification. */
  async verifyEmail(id: string): Promise<void> {
    await this.update({ id, emailVerifiedAt: IsNull() }, { emailVerifiedAt: () => 'now()' });
  }

  async removeSecondFactor(id: string): Promise<void> {
    await this.manager.delete(SecondFactor, { userId: id });
  }

  /** Deletes the account and everything that belongs to it, which may be millions of rows. */
  async deleteAccount(id: string): Promise<void> {
    await allowLongStatements(this.manager, LONGEST_DELETE_SECONDS);
    // Writers of a list lock its row. Create the row if it is missing and delete it first, so that no writer can start
    // meanwhile. Lists on other servers have no foreign key to users (docs/decisions/0082).
    const ofUser = { userId: id };
    await this.manager
      .createQueryBuilder()
      .insert()
      .into('lists')
      .values(ofUser)
      .orIgnore()
      .execute();
    await this.manager.delete('lists', ofUser);
    await this.delete({ id });
  }
}
