import { ILike, In, IsNull, MoreThan, Not } from 'typeorm';

import { CustomRepository } from '../platform/database/custom-repository.js';
import { violates } from '../platform/database/database.errors.js';
import { allowLongStatements, lockTable } from '../platform/database/query-rows.js';
import type { Language } from '../platform/i18n/languages.js';
import { CallCounterRepository } from '../platform/throttling/call-counter.repository.js';
import { AuditRepository } from './audit/audit.repository.js';
import { EmailTakenError, InvalidCredentialsError } from './auth.errors.js';
import { LinkPurpose, OneTimeLink } from './entities/one-time-link.entity.js';
import { Passkey } from './entities/passkey.entity.js';
import { RefreshToken } from './entities/refresh-token.entity.js';
import { RotatedRefreshToken } from './entities/rotated-refresh-token.entity.js';
import { SecondFactor } from './entities/second-factor.entity.js';
import { Session } from './entities/session.entity.js';
import { Role, User } from './entities/user.entity.js';

/** The timeout of a statement that deletes an account with all its data. */
const LONGEST_DELETE_SECONDS = 600;

/** Selects one page of the users, for the list that administrators see. */
export interface UserPage {
  /** The id of the last user on the previous page. */
  readonly after: string;
  /** The text that the email address or the name must contain. If it is empty, all users match. */
  readonly text: string;
  readonly size: number;
}

const ENABLED_ADMINISTRATOR = { role: Role.Administrator, disabledAt: IsNull() };

export class UserRepository extends CustomRepository<User> {
  static readonly entity = User;

  /**
   * Adds a user. If two calls add the same email address at the same time, the unique constraint rejects the second
   * call.
   * @throws EmailTakenError if the address has an account.
   */
  async add(
    user: Pick<User, 'name' | 'email' | 'passwordHash' | 'role' | 'emailVerifiedAt'> &
      Partial<Pick<User, 'browserLanguage'>>,
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
   * Returns true if there is no user, and then blocks other transactions from adding a user. This
   * ensures that only one user can be the first.
   */
  async lockIfEmpty(): Promise<boolean> {
    if (await this.exists()) {
      return false;
    }
    await lockTable(this.manager, this.target);
    return !(await this.exists());
  }

  /**
   * Returns the user with this id. Returns undefined if the account is disabled, or if the user was
   * signed out after `tokenVersion` was issued.
   */
  async findSignedIn(id: string, tokenVersion: number): Promise<User | undefined> {
    const user = await this.findOneBy({ id, tokenVersion });
    return user?.disabledAt === null ? user : undefined;
  }

  /**
   * Returns the user and locks the row until the transaction ends. To avoid deadlocks, each writing
   * transaction locks the user first. The lock mode NO KEY lets other transactions insert rows that
   * refer to the user.
   */
  lock(id: string): Promise<User | null> {
    return this.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /**
   * Locks the user's row, as `lock` does.
   * @throws InvalidCredentialsError if the account is disabled, or if the user was signed out in
   * the meantime.
   */
  async lockSignedIn({ id, tokenVersion }: Pick<User, 'id' | 'tokenVersion'>): Promise<User> {
    const locked = await this.lock(id);
    if (locked?.disabledAt !== null || locked.tokenVersion !== tokenVersion) {
      throw new InvalidCredentialsError();
    }
    return locked;
  }

  /** Stores the language of the browser with which the user logs in. Changes `user` too. */
  async noteBrowserLanguage(user: User, browserLanguage: Language | undefined): Promise<void> {
    if (browserLanguage !== undefined && user.browserLanguage !== browserLanguage) {
      await this.update({ id: user.id }, { browserLanguage });
      user.browserLanguage = browserLanguage;
    }
  }

  /**
   * Locks one user and all enabled administrators, in the order of their ids. If two administrators
   * demote each other at the same time, the second call waits and then fails, because its caller is
   * no longer an administrator.
   */
  async lockWithAdministrators(id: string): Promise<void> {
    await this.find({
      select: { id: true },
      where: [{ id }, ENABLED_ADMINISTRATOR],
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Returns the enabled administrators who have confirmed their email address, and so get mails of the service. */
  reachableAdministrators(): Promise<User[]> {
    return this.find({
      where: { ...ENABLED_ADMINISTRATOR, emailVerifiedAt: Not(IsNull()) },
      order: { id: 'ASC' },
    });
  }

  /**
   * Counts the enabled users with one of these roles who have a password, but neither an authenticator app nor a passkey.
   */
  countWithoutFactor(roles: readonly Role[]): Promise<number> {
    const lacks = (table: string): string =>
      `NOT EXISTS (SELECT FROM ${table} factor WHERE factor.user_id = person.id)`;
    return this.createQueryBuilder('person')
      .where({ role: In(roles), disabledAt: IsNull(), passwordHash: Not(IsNull()) })
      .andWhere(lacks('second_factors'))
      .andWhere(lacks('passkeys'))
      .getCount();
  }

  hasAdministratorBesides(id: string): Promise<boolean> {
    return this.existsBy({ ...ENABLED_ADMINISTRATOR, id: Not(id) });
  }

  /** Returns one page of users in the order of their ids. Filters the users by email address or name. */
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
    // A change of the email address that another person has requested must not survive the sign-out.
    await this.manager.delete(OneTimeLink, { userId: id, purpose: LinkPurpose.EmailChange });
  }

  /** Replaces the password, deletes all reset links, and signs the user out everywhere. */
  async replacePassword(id: string, passwordHash: string): Promise<void> {
    await this.update({ id }, { passwordHash });
    await this.endResetLinks(id);
    await this.signOut(id);
  }

  async endResetLinks(userId: string): Promise<void> {
    await this.manager.delete(OneTimeLink, { userId, purpose: LinkPurpose.PasswordReset });
  }

  /**
   * Replaces the email address. Deletes all links of the account, because the owner of the previous address must not be
   * able to use them any more.
   * @throws EmailTakenError if the new address has an account.
   */
  async replaceEmail(id: string, email: string, isVerified: boolean): Promise<void> {
    const emailVerifiedAt = isVerified ? () => 'now()' : null;
    try {
      await this.update({ id }, { email, emailVerifiedAt });
    } catch (error) {
      throw violates(error, 'users_email_key') ? new EmailTakenError() : error;
    }
    await this.manager.delete(OneTimeLink, { userId: id });
  }

  /** Returns the email addresses of users, keyed by their ids. Deleted accounts are missing. */
  async emailsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const select = { id: true, email: true };
    const found = await this.find({ select, where: { id: In([...new Set(ids)]) } });
    return new Map(found.map(({ id, email }) => [id, email]));
  }

  /** Marks the email address as verified. An address that is already verified keeps the time of its verification. */
  async verifyEmail(id: string): Promise<void> {
    await this.update({ id, emailVerifiedAt: IsNull() }, { emailVerifiedAt: () => 'now()' });
  }

  /** Removes the second factor. Returns false if the user has none. */
  async removeSecondFactor(id: string): Promise<boolean> {
    const { affected } = await this.manager.delete(SecondFactor, { userId: id });
    return affected !== 0;
  }

  /** Removes all passkeys. Returns false if the user has none. */
  async removePasskeys(id: string): Promise<boolean> {
    const { affected } = await this.manager.delete(Passkey, { userId: id });
    return affected !== 0;
  }

  /**
   * Deletes the account and all its data, which may be millions of rows. Mails about changes of security stay until
   * they are sent. Counters of attempts stay until their period ends, because a new account with the same address
   * must not reset the limits of mails. They contain only hashes.
   */
  async deleteAccount(id: string): Promise<void> {
    await allowLongStatements(this.manager, LONGEST_DELETE_SECONDS);
    // Deletes the list before the user, so that no other transaction can change the list. With
    // separate database servers, no foreign key deletes the list (docs/decisions/0082).
    await this.manager
      .createQueryBuilder()
      .insert()
      .into('lists')
      .values({ userId: id })
      .orIgnore()
      .execute();
    await this.manager.delete('lists', { userId: id });
    // This table has no foreign key, because it is written for each page that a client reads.
    await this.manager.delete('page_cursors', { userId: id });
    await this.endInvitations(id);
    await this.delete({ id });
    await AuditRepository.in(this.manager).forget(id);
    // Comes last, because calls of other users wait for a locked counter.
    await CallCounterRepository.in(this.manager).forget(id);
  }

  /**
   * Deletes the invitations for the email address of an account, because an invitation has no foreign key to the
   * account. A registration locks its invitation before the address, so this must run before the user is deleted.
   */
  private async endInvitations(id: string): Promise<void> {
    const email = (await this.emailsOf([id])).get(id);
    if (email !== undefined) {
      await this.manager.delete(OneTimeLink, { email, purpose: LinkPurpose.Invitation });
    }
  }
}
