import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { defined } from '../lib/util/defined.js';
import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.js';
import type { Language } from '../platform/i18n/languages.js';
import { AuditRepository } from './audit/audit.repository.js';
import {
  EmailTakenError,
  FirstAccountError,
  InvalidInvitationError,
  RegistrationClosedError,
} from './auth.errors.js';
import { AuditKind } from './entities/audit-kinds.js';
import { LinkPurpose, type OneTimeLink } from './entities/one-time-link.entity.js';
import type { Origin } from './entities/origin.js';
import { Role, type User } from './entities/user.entity.js';
import { EmailVerifications } from './links/email-verifications.js';
import { OneTimeLinks } from './links/one-time-links.js';
import { Passwords } from './passwords.js';
import type { Registration } from './registration.js';
import { UserRepository } from './user.repository.js';

/**
 * Throws an error if the account may not be created. Runs in the transaction that creates the
 * account.
 */
type Admission = (manager: EntityManager, isFirst: boolean) => Promise<void>;

/**
 * The data of a new account. The password is missing if the user logs in with an OpenID Connect issuer or through a
 * proxy.
 */
type NewAccount = Omit<Registration, 'password'> & {
  readonly password?: string;
  /** The origin of the request. Undefined for an account that the operator creates on the command line. */
  readonly origin?: Origin;
  /** True if a page of a stranger's website has sent the registration. */
  readonly isFromStranger?: boolean;
  /** The language of the browser that sent the registration. */
  readonly browserLanguage?: Language;
};

/** Additional work in the transaction that creates an account. If the work fails, no account is created. */
type AndThen = (manager: EntityManager, user: User) => Promise<unknown>;

/**
 * Properties of a new account that the service sets itself, such as the time at which the email address was verified.
 */
interface Creation {
  readonly facts: Pick<User, 'emailVerifiedAt'> & Partial<Pick<User, 'role'>>;
  readonly admit?: Admission;
  readonly andThen?: AndThen | undefined;
}

/** Creates accounts, and decides who may create an account (docs/decisions/0062). */
@Injectable()
export class RegistrationService {
  /**
   * The running registration of each email address. Registrations of the same address run one after
   * the other. After the first success, the others fail before they hash a password.
   */
  private readonly registering = new Map<string, Promise<User>>();

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly links: OneTimeLinks,
    private readonly passwords: Passwords,
    private readonly verifications: EmailVerifications,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Returns true if anyone may create an account now, without an invitation. */
  isOpen(): Promise<boolean> {
    return this.isOpenTo(() => this.hasNoUser());
  }

  /** Returns true if no account exists yet. The first user becomes an administrator of the installation. */
  async hasNoUser(): Promise<boolean> {
    return !(await this.users.exists());
  }

  /** Returns true if no account exists yet, and anyone may create the first one now. */
  async awaitsFirstUser(): Promise<boolean> {
    return (await this.isOpen()) && (await this.hasNoUser());
  }

  /** Returns the invitation with this token if it is neither used nor expired. */
  findInvitation(token: string): Promise<OneTimeLink | undefined> {
    return this.links.find(LinkPurpose.Invitation, token);
  }

  /**
   * Checks that a person may create an account, before the password is hashed. Without `email`,
   * does not check the email address of the invitation.
   * @throws RegistrationClosedError if registration is not open and the token is empty.
   * @throws InvalidInvitationError if the invitation is unknown, used or expired, or if it is for
   * another email address.
   */
  async requireAdmission(token: string, email?: string): Promise<void> {
    if (!(await this.isOpen())) {
      this.requireInvitation(await this.findInvitation(token), token, email);
    }
  }

  /**
   * Creates an account. Mails a verification link if the operator requires verified addresses. No
   * link is needed for the first account, for an account without a password, or for an account with
   * an invitation to this address.
   * @throws RegistrationClosedError or InvalidInvitationError for the same reasons as
   * `requireAdmission`.
   * @throws FirstAccountError if a page of a stranger's website sends the registration of the first account.
   * @throws EmailTakenError if the address has an account.
   * @throws ServiceBusyError if too many passwords are queued for hashing.
   */
  async register(account: NewAccount, andThen?: AndThen): Promise<User> {
    const { email, password, invitation = '', isFromStranger = false } = account;
    await this.requireAdmission(invitation, email);
    const invited = await this.findInvitation(invitation);
    const isVerified = password === undefined || invited?.email === email;
    const facts = { emailVerifiedAt: isVerified ? this.clock.now() : null };
    const admit: Admission = async (manager, isFirst) => {
      if (isFirst && isFromStranger) {
        throw new FirstAccountError();
      }
      const isOpen = await this.isOpenTo(() => Promise.resolve(isFirst));
      // If registration is open, the invitation is not needed. It is then used up only if it is
      // valid for this address.
      if (!isOpen || isFor(invited, email)) {
        const link = await this.links.use(manager, LinkPurpose.Invitation, invitation);
        if (!isOpen) {
          this.requireInvitation(link, invitation, email);
        }
      }
    };
    const user = await this.oneByOne(email, () => this.add(account, { facts, admit, andThen }));
    if (this.verifications.isDue(user)) {
      this.verifications.request(email);
    }
    return user;
  }

  /**
   * Creates an account for the command line, even if registration is closed.
   * @throws EmailTakenError if the address has an account.
   * @throws ServiceBusyError if too many passwords are queued for hashing.
   */
  create(registration: Registration, role?: Role): Promise<User> {
    return this.add(registration, {
      facts: { emailVerifiedAt: this.clock.now(), ...defined({ role }) },
    });
  }

  private async isOpenTo(isFirst: () => Promise<boolean>): Promise<boolean> {
    const { registration } = this.config;
    return registration === 'until-first-user' ? isFirst() : registration === 'open';
  }

  private async oneByOne(email: string, create: () => Promise<User>): Promise<User> {
    for (let other = this.registering.get(email); other; other = this.registering.get(email)) {
      await other.catch(() => undefined);
    }
    const created = create();
    this.registering.set(email, created);
    try {
      return await created;
    } finally {
      this.registering.delete(email);
    }
  }

  /**
   * Adds an account. Checks first that the email address is free, because hashing the password is
   * slow.
   */
  private async add(
    { name, email, password, origin, browserLanguage }: NewAccount,
    { facts, admit, andThen }: Creation,
  ): Promise<User> {
    if (await this.users.existsBy({ email })) {
      throw new EmailTakenError();
    }
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    return this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      const isFirst = await users.lockIfEmpty();
      await admit?.(manager, isFirst);
      const role = isFirst ? Role.Administrator : Role.User;
      // The address of the first user counts as verified, because the first user becomes an
      // administrator and could verify it anyway.
      const emailVerifiedAt = isFirst ? this.clock.now() : facts.emailVerifiedAt;
      const account = { name, email, passwordHash, role, ...defined({ browserLanguage }) };
      const user = await users.add({ ...account, ...facts, emailVerifiedAt });
      await AuditRepository.in(manager).act(
        { id: user.id, ...defined({ origin }) },
        AuditKind.AccountCreated,
      );
      if (!isFirst && user.role === Role.Administrator) {
        const kind = AuditKind.AdministratorAppointed;
        await AuditRepository.in(manager).administer({ kind, by: undefined, userId: user.id });
      }
      await andThen?.(manager, user);
      return user;
    });
  }

  private requireInvitation(
    link: OneTimeLink | undefined,
    token: string,
    email: string | undefined,
  ): void {
    if (token === '') {
      throw new RegistrationClosedError(this.config.registration === 'invite');
    }
    if (link === undefined || (email !== undefined && !isFor(link, email))) {
      throw new InvalidInvitationError();
    }
  }
}

/** Returns true if an invitation is valid for an email address. Both addresses must be canonical. */
const isFor = (link: OneTimeLink | undefined, email: string): boolean =>
  link !== undefined && (link.email ?? email) === email;
