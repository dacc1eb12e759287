import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { defined } from '../lib/util/defined.js';
import { Clock } from '../platform/common/clock.js';
import { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.js';
import { EmailTakenError, InvalidInvitationError, RegistrationClosedError } from './auth.errors.js';
import { LinkPurpose, type OneTimeLink } from './entities/one-time-link.entity.js';
import { Role, type User } from './entities/user.entity.js';
import { EmailVerifications } from './links/email-verifications.js';
import { OneTimeLinks } from './links/one-time-links.js';
import { Passwords } from './passwords.js';
import type { Registration } from './registration.js';
import { UserRepository } from './user.repository.js';

/** Decides in the transaction of a new account whether it may be made; throws where it may not. */
type Admission = (manager: EntityManager, isFirst: boolean) => Promise<void>;

/** What an account begins with; without a password its user logs in elsewhere. */
type NewAccount = Omit<Registration, 'password'> & { readonly password?: string };

/** Work in the transaction of a new account, which is not made where it fails. */
type AndThen = (manager: EntityManager, user: User) => Promise<unknown>;

/** What is decided of a new account beside what its user says. */
interface Creation {
  readonly facts: Pick<User, 'emailVerifiedAt'> & Partial<Pick<User, 'role'>>;
  readonly admit?: Admission;
  readonly andThen?: AndThen | undefined;
}

/** Creates accounts, and decides who may create one (docs/decisions/0062). */
@Injectable()
export class RegistrationService {
  /** By email address: of many registrations of one address a single one has its password hashed. */
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

  /** Tells whether anyone may create an account now. */
  isOpen(): Promise<boolean> {
    return this.isOpenTo(() => this.hasNoUser());
  }

  /** Tells whether the next account is the first one, which administers the installation. */
  async hasNoUser(): Promise<boolean> {
    return !(await this.users.exists());
  }

  /** The invitation that a link has, if it still works. */
  findInvitation(token: string): Promise<OneTimeLink | undefined> {
    return this.links.find(LinkPurpose.Invitation, token);
  }

  /**
   * Refuses early who may not create an account; without an address any of them may be meant. Throws
   * RegistrationClosedError, InvalidInvitationError.
   */
  async requireAdmission(token: string, email?: string): Promise<void> {
    if (!(await this.isOpen())) {
      this.requireInvitation(await this.findInvitation(token), token, email);
    }
  }

  /**
   * Creates an account, and sends the mail that verifies its address where that is wanted; the address of
   * the first account counts as verified, as that of an invitation or of a login elsewhere does. Throws what
   * `requireAdmission` throws, EmailTakenError and ServiceBusyError.
   */
  async register(account: NewAccount, andThen?: AndThen): Promise<User> {
    const { email, password, invitation = '' } = account;
    await this.requireAdmission(invitation, email);
    const invited = await this.findInvitation(invitation);
    const isVerified = password === undefined || invited?.email === email;
    const facts = { emailVerifiedAt: isVerified ? this.clock.now() : null };
    const admit: Admission = async (manager, isFirst) => {
      const isOpen = await this.isOpenTo(() => Promise.resolve(isFirst));
      // Where registration is open it is used up too, but only by whom it is for.
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

  /** As the command line does it, also where registration is closed. Throws EmailTakenError, ServiceBusyError. */
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

  /** An address that is taken is refused before the password is hashed, which takes longer than all the rest. */
  private async add(
    { name, email, password }: NewAccount,
    { facts, admit, andThen }: Creation,
  ): Promise<User> {
    if (await this.users.existsBy({ email })) {
      throw new EmailTakenError();
    }
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    return this.database.transaction(async (manager) => {
      const users = manager.withRepository(this.users);
      const isFirst = await users.lockIfEmpty();
      await admit?.(manager, isFirst);
      const role = isFirst ? Role.Administrator : Role.User;
      // Its user administers the installation, and could vouch for the address at once.
      const emailVerifiedAt = isFirst ? this.clock.now() : facts.emailVerifiedAt;
      const user = await users.add({ name, email, passwordHash, role, ...facts, emailVerifiedAt });
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

/** Tells whether an invitation lets the owner of an address in; its own is canonical, as that of an account is. */
const isFor = (link: OneTimeLink | undefined, email: string): boolean =>
  link !== undefined && (link.email ?? email) === email;
