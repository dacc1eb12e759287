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

/** Of a statement that deletes an account with everything in it. */
const LONGEST_DELETE_SECONDS = 600;

/** Which users a page has. */
export interface UserPage {
  /** The id before the first one. */
  readonly after: string;
  /** Empty for all. */
  readonly text: string;
  readonly size: number;
}

const ENABLED_ADMINISTRATOR = { role: Role.Administrator, disabledAt: IsNull() };

/** The accounts. */
export class UserRepository extends Repository<User> {
  /** Throws EmailTakenError; the unique constraint decides between two at once. */
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

  /** Tells whether there is no user. Then no other transaction adds one until this one ends: one user is the first. */
  async lockIfEmpty(): Promise<boolean> {
    if (await this.exists()) {
      return false;
    }
    await lockTable(this.manager, this.target);
    return !(await this.exists());
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

  /** The same, where the account is enabled and no sign-out has raised the token version since. Throws InvalidCredentialsError. */
  async lockSignedIn({ id, tokenVersion }: Pick<User, 'id' | 'tokenVersion'>): Promise<User> {
    const locked = await this.lock(id);
    if (locked?.disabledAt !== null || locked.tokenVersion !== tokenVersion) {
      throw new InvalidCredentialsError();
    }
    return locked;
  }

  /**
   * Locks one user and all enabled administrators, in the order of their ids: of two administrators who end each
   * other's role at once, one waits, and then has none.
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

  /** A page of the users in the order of their ids, of those whose address or name has the text. */
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

  /** With the password go the links that reset it, and all that it has logged in. */
  async replacePassword(id: string, passwordHash: string): Promise<void> {
    await this.update({ id }, { passwordHash });
    await this.endResetLinks(id);
    await this.signOut(id);
  }

  async endResetLinks(userId: string): Promise<void> {
    await this.manager.delete(OneTimeLink, { userId, purpose: LinkPurpose.PasswordReset });
  }

  /** Does not touch the time of an earlier verification. */
  async verifyEmail(id: string): Promise<void> {
    await this.update({ id, emailVerifiedAt: IsNull() }, { emailVerifiedAt: () => 'now()' });
  }

  async removeSecondFactor(id: string): Promise<void> {
    await this.manager.delete(SecondFactor, { userId: id });
  }

  /** With everything that belongs to the account, which may be millions of rows. */
  async deleteAccount(id: string): Promise<void> {
    await allowLongStatements(this.manager, LONGEST_DELETE_SECONDS);
    // The list first, as its writers lock it, and one is there for that: none can begin meanwhile. No foreign key leads
    // from lists that lie on other servers to their users (docs/decisions/0082).
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
