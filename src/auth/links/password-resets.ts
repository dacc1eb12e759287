import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Database } from '../../platform/database/database.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { InvalidLinkError } from '../auth.errors.js';
import { canonicalEmail } from '../email-address.js';
import { LinkPurpose } from '../entities/one-time-link.entity.js';
import type { User } from '../entities/user.entity.js';
import { Passwords, requireAcceptable } from '../passwords.js';
import { UserRepository } from '../user.repository.js';
import { OneTimeLinks } from './one-time-links.js';

/** Of a link that is sent by mail; one that an administrator hands over works longer. */
const MAILED_SECONDS = 60 * 60;

/** Ends the access that a user has given. */
type EndAccess = (manager: EntityManager, userId: string) => Promise<void>;

export const resetPathWith = (token: string): string => `/auth/reset?token=${token}`;

/** New passwords for users who have lost theirs (docs/decisions/0067). */
@Injectable()
export class PasswordResets {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly links: OneTimeLinks,
    private readonly passwords: Passwords,
    private readonly mailer: Mailer,
    private readonly mails: Mails,
  ) {}

  /** False where no mail can be sent: an administrator makes the link then. */
  get areMailed(): boolean {
    return this.mailer.isOn;
  }

  /** Sends a link, if there is an account. All of it is done in the background: nothing tells whether there is one. */
  request(address: string): void {
    const email = canonicalEmail(address);
    this.mailer.post(async () => {
      const user = await this.users.findOneBy({ email });
      if (user?.disabledAt !== null) {
        return undefined;
      }
      const purpose = LinkPurpose.PasswordReset;
      const link = { purpose, userId: user.id, email, ttlSeconds: MAILED_SECONDS };
      return this.mails.passwordReset(email, resetPathWith(await this.links.make(link)));
    });
  }

  /** Whose password a link changes. Throws InvalidLinkError. */
  find(token: string): Promise<User> {
    return this.links.userOf(LinkPurpose.PasswordReset, token);
  }

  /**
   * Changes the password and signs out everywhere; the link, and all others of the user, are used up. A link that came
   * by mail shows that the address is the user's; where nothing has shown it before, a stranger may have made the account,
   * and the same transaction ends what else they hold. Throws InvalidLinkError, ValidationFailedError, ServiceBusyError.
   */
  async reset(token: string, password: string, endAccess: EndAccess): Promise<void> {
    const { id, email, name } = await this.find(token);
    requireAcceptable(password, { email, name });
    const passwordHash = await this.passwords.hash(password);
    await this.database.transaction(async (manager) => {
      const users = manager.withRepository(this.users);
      const user = await users.lock(id);
      const link = await this.links.use(manager, LinkPurpose.PasswordReset, token);
      if (user?.disabledAt !== null || link === undefined) {
        throw new InvalidLinkError();
      }
      await users.replacePassword(id, passwordHash);
      if (link.email === user.email && user.emailVerifiedAt === null) {
        await users.verifyEmail(id);
        await endAccess(manager, id);
      }
    });
  }
}
