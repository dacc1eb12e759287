import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { defined } from '../../lib/util/defined.js';
import { Database } from '../../platform/database/database.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import type { EndAccess } from '../accounts.service.js';
import { type ActingUser, AuditRepository } from '../audit/audit.repository.js';
import { InvalidLinkError } from '../auth.errors.js';
import { canonicalEmail } from '../email-address.js';
import { AuditKind } from '../entities/audit-kinds.js';
import { LinkPurpose, type OneTimeLink } from '../entities/one-time-link.entity.js';
import type { Origin } from '../entities/origin.js';
import type { User } from '../entities/user.entity.js';
import { Passwords, requireAcceptable } from '../passwords.js';
import { UserRepository } from '../user.repository.js';
import { recipientOf } from '../user-language.js';
import { OneTimeLinks } from './one-time-links.js';

/** The lifetime of a mailed reset link, in seconds. A reset link from an administrator has a longer lifetime. */
const MAILED_SECONDS = 60 * 60;

/** The password that a person has chosen, and the origin of the request. */
interface NewPassword {
  readonly password: string;
  readonly origin: Origin;
  /** True if the person wants to end the access of all applications. */
  readonly endsAccess: boolean;
}

export const resetPathWith = (token: string): string => `/auth/reset?token=${token}`;

/** Lets users who have lost their password set a new password (docs/decisions/0067). */
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

  /** True if the service can mail reset links. Otherwise, an administrator must create them. */
  get areMailed(): boolean {
    return this.mailer.isOn;
  }

  /**
   * Mails a reset link if an enabled account has this email address. Runs in the background, so that the response time
   * does not reveal whether the account exists.
   */
  request(address: string): void {
    const email = canonicalEmail(address);
    this.mailer.post(async () => {
      const user = await this.users.findOneBy({ email });
      if (user?.disabledAt !== null) {
        return undefined;
      }
      const purpose = LinkPurpose.PasswordReset;
      const link = { purpose, userId: user.id, email, ttlSeconds: MAILED_SECONDS };
      const path = resetPathWith(await this.links.make(link));
      return this.mails.passwordReset(recipientOf(user), path);
    });
  }

  /**
   * Returns the user of a password reset link. `token` is the token in the link.
   * @throws InvalidLinkError if the link is unknown, used or expired, or if the account is disabled.
   */
  find(token: string): Promise<User> {
    return this.links.userOf(LinkPurpose.PasswordReset, token);
  }

  /**
   * Changes the password, signs the user out everywhere, and deletes all reset links of the user. A
   * link that was mailed to an unverified address also verifies this address. In this case, the
   * access of all applications is always ended, because someone else may have created the account.
   * @throws InvalidLinkError if the link is unknown, used or expired, or if the account is
   * disabled.
   * @throws ValidationFailedError if the password is not acceptable.
   * @throws ServiceBusyError if too many passwords are queued for hashing.
   */
  async reset(
    token: string,
    { password, origin, endsAccess }: NewPassword,
    endAccess: EndAccess,
  ): Promise<void> {
    const { id, email, name } = await this.find(token);
    requireAcceptable(password, { email, name });
    const passwordHash = await this.passwords.hash(password);
    await this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      const user = await users.lock(id);
      const link = await this.links.use(manager, LinkPurpose.PasswordReset, token);
      if (user?.disabledAt !== null || link === undefined || !isFor(link, user)) {
        throw new InvalidLinkError();
      }
      await users.replacePassword(id, passwordHash);
      const verifies = verifiesAddress(link, user);
      if (verifies) {
        await users.verifyEmail(id);
      }
      const isEnd = verifies || endsAccess;
      // A mail about the reset needs the verified address, so the address is verified first.
      await recordReset(manager, { id, origin }, isEnd ? endAccess : undefined);
    });
  }
}

async function recordReset(
  manager: EntityManager,
  user: ActingUser,
  endAccess: EndAccess | undefined,
): Promise<void> {
  const details = defined({ hasEndedAccess: endAccess && true });
  await AuditRepository.in(manager).act(user, AuditKind.PasswordReset, details);
  await endAccess?.(manager, user);
}

/** Returns true if the link proves an address that the user has not verified yet. */
const verifiesAddress = (link: OneTimeLink, user: User): boolean =>
  link.email === user.email && user.emailVerifiedAt === null;

/** Returns false if the link was mailed to an address that is no longer the address of the user. */
const isFor = (link: OneTimeLink, user: User): boolean => (link.email ?? user.email) === user.email;
