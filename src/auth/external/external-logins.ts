import { Injectable } from '@nestjs/common';

import { violates } from '../../platform/database/database.errors.js';
import { Database } from '../../platform/database/database.js';
import { EmailTakenError, LoginRefusedError } from '../auth.errors.js';
import { Identity } from '../entities/identity.entity.js';
import type { User } from '../entities/user.entity.js';
import { RegistrationService } from '../registration.service.js';
import { UserRepository } from '../user.repository.js';
import { type IssuerPerson, nameIn } from './issuer-claims.js';

/** Finds or makes the accounts of people whom an issuer or a proxy has logged in (docs/decisions/0066). */
@Injectable()
export class ExternalLogins {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly registrations: RegistrationService,
  ) {}

  /**
   * The account that the person logged in to before, else that of their verified address, else a new one. Throws
   * LoginRefusedError, RegistrationClosedError, InvalidInvitationError.
   */
  async byIssuer(person: IssuerPerson, invitation: string): Promise<User> {
    const known = await this.known(person);
    return requireEnabled(known ?? (await this.firstLogin(person, invitation)));
  }

  /** The account of an address that a trusted proxy names, or a new one. Throws what `byIssuer` throws. */
  async byProxy(email: string, invitation: string): Promise<User> {
    const user = await this.users.findOneBy({ email });
    return requireOwn(user ?? (await this.register(email, invitation)));
  }

  private async known({ issuer, subject }: IssuerPerson): Promise<User | undefined> {
    const identity = await this.database.manager.findOne(Identity, {
      where: { issuer, subject },
      relations: { user: true },
    });
    return identity?.user;
  }

  /** Of two first logins of a person at once the later one finds what the earlier one has made. */
  private async firstLogin(person: IssuerPerson, invitation: string): Promise<User> {
    try {
      return await this.link(person, invitation);
    } catch (error) {
      const user = isOvertaken(error) ? await this.known(person) : undefined;
      if (user !== undefined) {
        return user;
      }
      throw isOvertaken(error) ? new AccountOfAnotherLogin() : error;
    }
  }

  /** An address that is not verified could be anyone's: it neither finds an account nor makes one. */
  private async link(person: IssuerPerson, invitation: string): Promise<User> {
    const { email, name } = person;
    if (email === undefined) {
      throw new LoginRefusedError(
        'Your login names no email address that is verified: there is no account for it.',
      );
    }
    const user = await this.users.findOneBy({ email });
    if (user === null) {
      return this.registrations.register({ name, email, invitation }, (manager, { id }) =>
        manager.insert(Identity, identityOf(person, id)),
      );
    }
    requireOwn(user);
    await this.database.manager.insert(Identity, identityOf(person, user.id));
    return user;
  }

  private async register(email: string, invitation: string): Promise<User> {
    try {
      return await this.registrations.register({ name: nameIn(email), email, invitation });
    } catch (error) {
      const user = error instanceof EmailTakenError ? await this.users.findOneBy({ email }) : null;
      if (user === null) {
        throw error;
      }
      return user;
    }
  }
}

/** A stranger may have made the account, and hold its password, and applications and keys that have access. */
class UnconfirmedAccount extends LoginRefusedError {
  constructor() {
    super(
      'Someone has made an account with your email address, and the address is not confirmed yet: ask the administrator.',
    );
  }
}

/** An issuer that gives an address to another person must not give the account with it. */
class AccountOfAnotherLogin extends LoginRefusedError {
  constructor() {
    super('The account with your email address belongs to another login of the issuer.');
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
    throw new LoginRefusedError('Your account is disabled.');
  }
  return user;
}

/** An address finds an account of its owner alone. */
function requireOwn(user: User): User {
  if (requireEnabled(user).emailVerifiedAt === null) {
    throw new UnconfirmedAccount();
  }
  return user;
}
