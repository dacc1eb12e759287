import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
} from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';

import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { InvalidCredentialsError, PasswordLoginOffError } from '../auth.errors.js';
import { RegistrationService } from '../registration.service.js';
import { LoginRequest } from './account.dto.js';

/**
 * Returns the user that the Passport library has authenticated. Throws any other error that
 * Passport reports, such as a failed database query.
 * @throws InvalidCredentialsError if Passport has authenticated no user.
 */
function acceptedUser<T>(error: unknown, user: T | false | null): T {
  if (error instanceof Error) {
    throw error;
  }
  if (user === false || user === null) {
    throw new InvalidCredentialsError();
  }
  return user;
}

function requirePasswordLogin({ passwordLogin }: Config): void {
  if (!passwordLogin) {
    throw new PasswordLoginOffError();
  }
}

/** Rejects a request if login by password is off (PASSWORD_LOGIN=off). */
@Injectable()
export class PasswordLoginGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(): boolean {
    requirePasswordLogin(this.config);
    return true;
  }
}

/** Accepts a request that has a valid access token or session cookie. */
@Injectable()
export class SignedInGuard extends AuthGuard(['bearer', 'session']) {
  override handleRequest<T>(error: unknown, user: T | false | null): T {
    return acceptedUser(error, user);
  }
}

/** Accepts a request if its body contains the email address and the password of an account. */
@Injectable()
class PasswordGuard extends AuthGuard('password') {
  override handleRequest<T>(error: unknown, user: T | false | null): T {
    return acceptedUser(error, user);
  }
}

/** Returns true if the body of a login contains a password, which `CredentialGuard` then checks. */
export const isByPassword = (body: object): boolean => 'email' in body || 'password' in body;

/**
 * Accepts a request to POST /login with a password, an access token or a session cookie. A wrong
 * password in the body is rejected even if the session cookie is valid.
 */
@Injectable()
export class CredentialGuard implements CanActivate {
  private readonly byPassword = new PasswordGuard();
  private readonly bySignIn = new SignedInGuard();

  constructor(private readonly config: Config) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<Request<unknown, unknown, object>>();
    if (!isByPassword(body)) {
      return Boolean(await this.bySignIn.canActivate(context));
    }
    requirePasswordLogin(this.config);
    parseRequest(LoginRequest, body);
    return Boolean(await this.byPassword.canActivate(context));
  }
}

/**
 * Rejects a request to create an account if login by password is off, or if an invitation is needed
 * and missing. Runs before the other fields of the body are validated.
 */
@Injectable()
export class RegistrationGuard implements CanActivate {
  constructor(
    private readonly registrations: RegistrationService,
    private readonly config: Config,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    requirePasswordLogin(this.config);
    const { body } = context.switchToHttp().getRequest<Request<unknown, unknown, unknown>>();
    await this.registrations.requireAdmission(textOf(body, 'invitation'));
    return true;
  }
}

/**
 * A parameter decorator for request handlers. It injects the user that a guard has authenticated.
 */
export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().user,
);
