import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { AuditRepository } from '../../../auth/audit/audit.repository.js';
import { AuthenticationService } from '../../../auth/authentication.service.js';
import { ApplicationPasswords } from '../../../auth/consumers/application-passwords.service.js';
import type { ConsumerKey } from '../../../auth/consumers/entities/consumer-key.entity.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { EmailVerifications } from '../../../auth/links/email-verifications.js';
import { LoginAttempts } from '../../../auth/login-attempts.js';
import { SecondFactors } from '../../../auth/second-factor/second-factors.js';
import { originOf } from '../../../auth/session/device.js';
import { UserRepository } from '../../../auth/user.repository.js';
import { Config } from '../../../platform/config/config.js';
import { TokenRefusedError } from '../wire/wallabag-answers.js';

interface PasswordLogin {
  readonly client: ConsumerKey;
  readonly email: string;
  readonly password: string;
}

/** The user who has logged in, and the password of the login. */
export interface LoggedIn {
  readonly user: User;
  /** The id of the application password. Null for the password of the account. */
  readonly passwordKeyId: string | null;
}

const USE_ANOTHER = 'Use an application password, which you make on the page of your account.';

/** Finds the user who logs in with an application password or with the password of the account. */
@Injectable()
export class PasswordLogins {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly attempts: LoginAttempts,
    private readonly applicationPasswords: ApplicationPasswords,
    private readonly authentication: AuthenticationService,
    private readonly verifications: EmailVerifications,
    private readonly secondFactors: SecondFactors,
    private readonly users: UserRepository,
    private readonly audit: AuditRepository,
    private readonly config: Config,
  ) {}

  /**
   * Returns the user and the password of a login, and counts failed logins.
   *
   * @throws TokenRefusedError if the login is rejected
   * @throws TooManyRequestsError after too many failed logins
   */
  find(request: Request, login: PasswordLogin): Promise<LoggedIn> {
    return this.attempts.run({ request, email: login.email }, async () => {
      const found = (await this.byApplicationPassword(login)) ?? {
        user: await this.byPassword(request, login),
        passwordKeyId: null,
      };
      const { user } = found;
      user.origin = originOf(request);
      const { ownerId } = login.client;
      if (ownerId !== null && ownerId !== user.id) {
        throw new TokenRefusedError('unauthorized_client', 'The client belongs to another user.');
      }
      return found;
    });
  }

  /**
   * Returns the user of an application password. Rejects the login if the client has a permission
   * that the password lacks, because the issued tokens would have all permissions of the client.
   */
  private async byApplicationPassword(login: PasswordLogin): Promise<LoggedIn | undefined> {
    const holder = await this.applicationPasswords.find(login.email, login.password);
    if (holder === undefined) {
      return undefined;
    }
    const missing = login.client.permissions.find((one) => !holder.permissions.includes(one));
    if (missing !== undefined) {
      throw refusal(
        `The application password does not have the permission "${missing}", which the client has.`,
      );
    }
    const user = await this.users.findOneBy({ id: holder.userId });
    return user === null ? undefined : { user, passwordKeyId: holder.consumerKeyId };
  }

  private async byPassword(request: Request, { email, password }: PasswordLogin): Promise<User> {
    if (!this.config.passwordLogin) {
      await this.audit.refuseLogin(email, originOf(request));
      throw refusal(`Passwords of accounts are not used here. ${USE_ANOTHER}`);
    }
    const user = await this.authentication.byPassword(email, password, originOf(request));
    if (user === undefined) {
      throw refusal('Invalid username and password combination');
    }
    if (this.verifications.isDue(user)) {
      throw refusal(`The email address is not confirmed yet. ${USE_ANOTHER}`);
    }
    if (await this.secondFactors.isOn(user)) {
      throw refusal(`The account has a second factor. ${USE_ANOTHER}`);
    }
    return user;
  }
}

const refusal = (description: string): TokenRefusedError =>
  new TokenRefusedError('invalid_grant', description);
