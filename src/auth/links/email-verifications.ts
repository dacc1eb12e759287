import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { EmailNotVerifiedError, InvalidLinkError } from '../auth.errors.js';
import { canonicalEmail } from '../email-address.js';
import { AuditKind } from '../entities/audit-kinds.js';
import { LinkPurpose } from '../entities/one-time-link.entity.js';
import type { Origin } from '../entities/origin.js';
import type { User } from '../entities/user.entity.js';
import { UserRepository } from '../user.repository.js';
import { recipientOf } from '../user-language.js';
import { OneTimeLinks } from './one-time-links.js';

const A_WEEK_SECONDS = 7 * 24 * 60 * 60;

/**
 * Mails verification links, and marks an email address as verified after its link was opened. The
 * operator can require a verified address for logins by password (docs/decisions/0067). Mail to an
 * e-reader also requires a verified address of the user (docs/decisions/0100).
 */
@Injectable()
export class EmailVerifications {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly links: OneTimeLinks,
    private readonly mailer: Mailer,
    private readonly mails: Mails,
    private readonly config: Config,
  ) {}

  /** Returns true if the email address of the user must be verified before a login by password. */
  isDue({ emailVerifiedAt }: User): boolean {
    return this.config.isEmailVerificationRequired && emailVerifiedAt === null;
  }

  /**
   * @throws EmailNotVerifiedError if the email address of the user must be verified before a login
   * by password.
   */
  require(user: User): void {
    if (this.isDue(user)) {
      throw new EmailNotVerifiedError();
    }
  }

  /**
   * Mails a verification link to the enabled account with this address, if the address is not
   * verified. Returns nothing, so that the caller cannot see whether the account exists.
   */
  request(address: string): void {
    const email = canonicalEmail(address);
    this.mailer.post(async () => {
      const user = await this.users.findOneBy({ email });
      if (user?.disabledAt !== null || user.emailVerifiedAt !== null) {
        return undefined;
      }
      const purpose = LinkPurpose.EmailVerification;
      const link = { purpose, userId: user.id, email, ttlSeconds: A_WEEK_SECONDS };
      const token = await this.links.make(link);
      return this.mails.emailVerification(recipientOf(user), `/auth/verify?token=${token}`);
    });
  }

  /**
   * Returns the user of a verification link. `token` is the token in the link.
   * @throws InvalidLinkError if the link is unknown, used or expired, or if the account is disabled.
   */
  find(token: string): Promise<User> {
    return this.links.userOf(LinkPurpose.EmailVerification, token);
  }

  /**
   * Marks the email address of the user as verified, and deletes all verification links of the
   * user. The user is locked before the link, as in all transactions that change a user, to avoid
   * deadlocks.
   * @throws InvalidLinkError if the link is unknown, used or expired, or if the account is
   * disabled.
   */
  async verify(token: string, origin: Origin): Promise<void> {
    const { id } = await this.find(token);
    await this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      const user = await users.lock(id);
      const link = await this.links.use(manager, LinkPurpose.EmailVerification, token);
      // The user may have changed the email address after the link was mailed.
      if (link === undefined || link.email !== user?.email) {
        throw new InvalidLinkError();
      }
      await users.verifyEmail(id);
      await AuditRepository.in(manager).act({ id, origin }, AuditKind.EmailVerified);
      await this.links.endFor(manager, id, LinkPurpose.EmailVerification);
    });
  }
}
