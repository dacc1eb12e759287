import { Injectable } from '@nestjs/common';

import { fieldProblem, ValidationFailedError } from '../../platform/common/common.errors.js';
import { Database } from '../../platform/database/database.js';
import { message } from '../../platform/i18n/message.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Mails } from '../../platform/mail/mails.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { AccountsService } from '../accounts.service.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { EmailTakenError, InvalidLinkError } from '../auth.errors.js';
import { AuditKind } from '../entities/audit-kinds.js';
import { LinkPurpose } from '../entities/one-time-link.entity.js';
import type { Origin } from '../entities/origin.js';
import type { User } from '../entities/user.entity.js';
import { IsAccountEmail } from '../registration.js';
import { UserRepository } from '../user.repository.js';
import { recipientOf } from '../user-language.js';
import { EmailChangeLimits } from './email-change-limits.js';
import { OneTimeLinks } from './one-time-links.js';

const A_DAY_SECONDS = 24 * 60 * 60;

/** The new address, from the form on the profile page. */
class NewAddress {
  @IsAccountEmail()
  email!: string;
}

/** The new email address of an account, and the password with which the user confirms the change. */
export interface EmailChange {
  readonly current: string;
  readonly email: string;
  /** The network address of the client, as limits per address count it. */
  readonly network: string;
}

/** A change that waits for its confirmation: the account, and its new address. */
export interface PendingChange {
  readonly user: User;
  readonly email: string;
}

/**
 * Changes the email addresses of users. If mail is set up, an address counts only after its owner has opened the link
 * in a mail (docs/decisions/0106).
 */
@Injectable()
export class EmailChanges {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly accounts: AccountsService,
    private readonly limits: EmailChangeLimits,
    private readonly links: OneTimeLinks,
    private readonly mailer: Mailer,
    private readonly mails: Mails,
  ) {}

  /** True if a new address counts only after the link in a mail was opened. */
  get areMailed(): boolean {
    return this.mailer.isOn;
  }

  /**
   * Mails a link to the new address, and a notice to the present address. Without mail, changes the address at once,
   * and the new address is unconfirmed.
   * @throws ValidationFailedError if the address is invalid or is the present address.
   * @throws InvalidCredentialsError if the password is wrong, or if the user was signed out while this call ran.
   * @throws EmailTakenError if the address has an account.
   * @throws TooManyRequestsError if the change would send a mail, and a limit of mails is reached.
   */
  async request(user: User, { email: typed, network, current }: EmailChange): Promise<void> {
    const { email } = parseRequest(NewAddress, { email: typed });
    await this.accounts.requirePassword(user, current);
    if (email === user.email) {
      const advice = message('account.email.same');
      throw new ValidationFailedError([fieldProblem('email', 'must be another address', advice)]);
    }
    if (await this.users.existsBy({ email })) {
      throw new EmailTakenError();
    }
    if (this.areMailed) {
      await this.limits.count({ userId: user.id, email, network });
      await this.mail(user, email);
    } else {
      await this.changeNow(user, email);
    }
  }

  /** Returns the address that waits for its confirmation. */
  async pendingOf({ id }: User): Promise<string | undefined> {
    const link = await this.links.latestOf(LinkPurpose.EmailChange, id);
    return link?.email ?? undefined;
  }

  /** Cancels the change that waits for its confirmation. */
  cancel({ id }: User): Promise<void> {
    return this.links.endFor(this.database.manager, id, LinkPurpose.EmailChange);
  }

  /**
   * Returns the account and the new address of a link.
   * @throws InvalidLinkError if the link is unknown, used or expired, or if the account is disabled.
   */
  async find(token: string): Promise<PendingChange> {
    const user = await this.links.userOf(LinkPurpose.EmailChange, token);
    const link = await this.links.find(LinkPurpose.EmailChange, token);
    if (typeof link?.email !== 'string') {
      throw new InvalidLinkError();
    }
    return { user, email: link.email };
  }

  /**
   * Changes the address to the address of the link, and marks it as verified. Sessions go on. Reports the change to the
   * previous address. Returns the new address.
   * @throws InvalidLinkError if the link is unknown, used or expired, or if the account is disabled.
   * @throws EmailTakenError if another account has got the address since the request.
   */
  async confirm(token: string, origin: Origin): Promise<string> {
    const { id } = await this.links.userOf(LinkPurpose.EmailChange, token);
    return this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      const user = await users.lock(id);
      const link = await this.links.use(manager, LinkPurpose.EmailChange, token);
      if (user?.disabledAt !== null || typeof link?.email !== 'string') {
        throw new InvalidLinkError();
      }
      await users.replaceEmail(id, link.email, true);
      await AuditRepository.in(manager).emailChanged({ id, origin }, user);
      return link.email;
    });
  }

  /** Replaces an earlier request of the user, so that only one address waits for its confirmation. */
  private async mail(user: User, email: string): Promise<void> {
    const { id: userId, email: present } = user;
    const hasPassword = this.accounts.hasPassword(user);
    const token = await this.database.transaction(async (manager) => {
      await UserRepository.in(manager).lockSignedIn(user);
      await this.links.endFor(manager, userId, LinkPurpose.EmailChange);
      await AuditRepository.in(manager).act(user, AuditKind.EmailChangeRequested);
      const link = { purpose: LinkPurpose.EmailChange, userId, email, ttlSeconds: A_DAY_SECONDS };
      return this.links.make(link, manager);
    });
    const path = `/auth/verify/email?token=${token}`;
    const next = recipientOf(user, email);
    this.mailer.post(() => Promise.resolve(this.mails.emailChange(next, { present, path })));
    const request = { email, hasPassword };
    this.mailer.post(() =>
      Promise.resolve(this.mails.emailChangeRequested(recipientOf(user), request)),
    );
  }

  private changeNow(user: User, email: string): Promise<void> {
    return this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      await users.lockSignedIn(user);
      await users.replaceEmail(user.id, email, false);
      await AuditRepository.in(manager).emailChanged(user, user);
    });
  }
}
