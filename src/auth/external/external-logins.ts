import { Injectable } from '@nestjs/common';

import { violates } from '../../platform/database/database.errors.js';
import { Database } from '../../platform/database/database.js';
import { message } from '../../platform/i18n/message.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { EmailTakenError, LoginRefusedError } from '../auth.errors.js';
import { Identity } from '../entities/identity.entity.js';
import type { Origin } from '../entities/origin.js';
import type { User } from '../entities/user.entity.js';
import { RegistrationService } from '../registration.service.js';
import { UserRepository } from '../user.repository.js';
import { type IssuerPerson, nameIn } from './issuer-claims.js';

/** The request of a login: its origin, and the token of an invitation, which is empty if there is none. */
interface LoginVisit {
  readonly invitation: string;
  readonly origin: Origin;
}

/**
 * Finds or creates the accounts of people who have logged in at an OpenID Connect issuer or a proxy
 * (docs/decisions/0066).
 */
@Injectable()
export class ExternalLogins {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly registrations: RegistrationService,
  ) {}

  /**
   * Returns the account that is linked to the person. At a first login, finds or creates the
   * account with the person's verified email address.
   * @throws LoginRefusedError if the person may not use the account, or has no verified email
   * address.
   * @throws RegistrationClosedError or InvalidInvitationError if the person may not create an
   * account.
   */
  byIssuer(person: IssuerPerson, visit: LoginVisit): Promise<User> {
    return this.counted(visit, async () =>
      requireEnabled((await this.known(person)) ?? (await this.firstLogin(person, visit))),
    );
  }

  /**
   * Returns the account with the email address that a trusted proxy has sent. Creates the account
   * if it is missing. Throws the errors of `byIssuer`.
   */
  byProxy(email: string, visit: LoginVisit): Promise<User> {
    return this.counted(visit, async () => {
      const user = await this.users.findOneBy({ email });
      return requireOwn(user ?? (await this.register(email, visit)));
    });
  }

  /**
   * Returns true if the person is the user of a session. Links no account and creates no account. Records another person
   * as a refused login.
   */
  async isUser(person: IssuerPerson, user: User, origin: Origin): Promise<boolean> {
    const known = await this.known(person);
    const isSame = known?.id === user.id;
    if (!isSame) {
      await AuditRepository.in(this.database.manager).refuse(user.id, origin);
    }
    return isSame;
  }

  /** Runs a login, and records its refusal. */
  private async counted({ origin }: LoginVisit, login: () => Promise<User>): Promise<User> {
    try {
      return await login();
    } catch (error) {
      if (error instanceof LoginRefusedError) {
        await AuditRepository.in(this.database.manager).refuse(null, origin);
      }
      throw error;
    }
  }

  private async known({ issuer, subject }: IssuerPerson): Promise<User | undefined> {
    const identity = await this.database.manager.findOne(Identity, {
      where: { issuer, subject },
      relations: { user: true },
    });
    return identity?.user;
  }

  /**
   * Handles a person's first login with the issuer. If two first logins run at the same time, both
   * return the same account.
   */
  private async firstLogin(person: IssuerPerson, visit: LoginVisit): Promise<User> {
    try {
      return await this.link(person, visit);
    } catch (error) {
      const user = isOvertaken(error) ? await this.known(person) : undefined;
      if (user !== undefined) {
        return user;
      }
      throw isOvertaken(error) ? new AccountOfAnotherLogin() : error;
    }
  }

  /**
   * Links the person to an existing or a new account. Requires a verified email address, because an unverified address
   * may belong to another person.
   */
  private async link(person: IssuerPerson, visit: LoginVisit): Promise<User> {
    const { email, name } = person;
    if (email === undefined) {
      throw new LoginRefusedError(
        'Your login names no email address that is verified: there is no account for it.',
        message('login.refused.noEmail'),
      );
    }
    const user = await this.users.findOneBy({ email });
    if (user === null) {
      return this.registrations.register({ name, email, ...visit }, (manager, { id }) =>
        manager.insert(Identity, identityOf(person, id)),
      );
    }
    requireOwn(user);
    await this.database.manager.insert(Identity, identityOf(person, user.id));
    return user;
  }

  private async register(email: string, visit: LoginVisit): Promise<User> {
    try {
      return await this.registrations.register({ name: nameIn(email), email, ...visit });
    } catch (error) {
      const user = error instanceof EmailTakenError ? await this.users.findOneBy({ email }) : null;
      if (user === null) {
        throw error;
      }
      return user;
    }
  }
}

/**
 * Thrown if the email address of the account is not verified. A stranger may have created the account and may still
 * have access to it.
 */
class UnconfirmedAccount extends LoginRefusedError {
  constructor() {
    super(
      'Someone has made an account with your email address, and the address is not confirmed yet: ask the administrator.',
      message('login.refused.unconfirmed'),
    );
  }
}

/**
 * Thrown if the account is linked to another identity at the issuer. This protects the account if
 * the issuer reassigns an email address to another person.
 */
class AccountOfAnotherLogin extends LoginRefusedError {
  constructor() {
    super(
      'The account with your email address belongs to another login of the issuer.',
      message('login.refused.otherLogin'),
    );
  }
}

const identityOf = (
  { issuer, subject }: IssuerPerson,
  userId: string,
): Pick<Identity, 'issuer' | 'subject' | 'userId'> => ({ issuer, subject, userId });

const isOvertaken = (error: unknown): boolean =>
  error instanceof EmailTakenError ||
  violates(error, 'identities_pkey') ||
  violates(error, 'identities_user_id_issuer_key');

function requireEnabled(user: User): User {
  if (user.disabledAt !== null) {
    throw new LoginRefusedError('Your account is disabled.', message('login.refused.disabled'));
  }
  return user;
}

/**
 * Returns the user if the account is enabled and its email address is verified. An account with an unverified address
 * may belong to another person.
 */
function requireOwn(user: User): User {
  if (requireEnabled(user).emailVerifiedAt === null) {
    throw new UnconfirmedAccount();
  }
  return user;
}
