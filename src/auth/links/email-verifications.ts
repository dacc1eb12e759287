import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { EmailNotVerifiedError, InvalidLinkError } from '../auth.errors.js';
import { canonicalEmail } from '../email-address.js';
import { LinkPurpose } from '../entities/one-time-link.entity.js';
import type { User } from '../entities/user.entity.js';
import { UserRepository } from '../user.repository.js';
import { OneTimeLinks } from './one-time-links.js';

const A_WEEK_SECONDS = 7 * 24 * 60 * 60;

/** Verifies that email addresses of accounts belong to their users: for logins by password if the operator requires it (docs/decisions/0067), and for mail to e-readers (docs/decisions/0100). */
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

  /** Returns true if a user, whose password was right, has to verify the address first. */
  isDue({ emailVerifiedAt }: User): boolean {
    return this.config.isEmailVerificationRequired && emailVerifiedAt === null;
  }

  /** Throws EmailNotVerifiedError. */
  require(user: User): void {
    if (this.isDue(user)) {
      throw new EmailNotVerifiedError();
    }
  }

  /** Sends a link if an enabled account has this address and it is not verified. The answer does not show whether one has. */
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
      return this.mails.emailVerification(email, `/auth/verify?token=${token}`);
    });
  }

  /** Whose address a link verifies. Throws InvalidLinkError. */
  find(token: string): Promise<User> {
    return this.links.userOf(LinkPurpose.EmailVerification, token);
  }

  /** Uses the link up, with all others of the user, whose row is locked first, as everywhere. Throws InvalidLinkError. */
  async verify(token: string): Promise<void> {
    const { id } = await this.find(token);
    await this.database.transaction(async (manager) => {
      const users = manager.withRepository(this.users);
      await users.lock(id);
      if ((await this.links.use(manager, LinkPurpose.EmailVerification, token)) === undefined) {
        throw new InvalidLinkError();
      }
      await users.verifyEmail(id);
      await this.links.endFor(manager, id, LinkPurpose.EmailVerification);
    });
  }
}
