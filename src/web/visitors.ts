import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { AuthenticationService } from '../auth/authentication.service.js';
import type { User } from '../auth/entities/user.entity.js';
import { ExternalLogins } from '../auth/external/external-logins.js';
import { ForwardAuth } from '../auth/external/forward-auth.js';
import { EmailVerifications } from '../auth/links/email-verifications.js';
import { SecondFactors } from '../auth/second-factor/second-factors.js';
import { type LoginWay, Sessions } from '../auth/session/sessions.js';
import { textOf } from '../platform/common/request-fields.js';
import { PendingLogins } from './login/pending-logins.js';
import { Pages } from './pages.js';
import { Appearances } from './reader/appearance/appearance.js';

/** The step between a correct password and a session: the link in a mail, or the code of the second factor. */
type LoginStep = 'verification' | 'code';

/** The values that a visitor entered in a login form. */
interface TypedCredentials {
  readonly email: string;
  readonly password: string;
}

const typedIn = (body: unknown): TypedCredentials => ({
  email: textOf(body, 'email'),
  password: textOf(body, 'password'),
});

/** Finds the user of the session of a request, and logs users in. */
@Injectable()
export class Visitors {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly verifications: EmailVerifications,
    private readonly secondFactors: SecondFactors,
    private readonly pending: PendingLogins,
    private readonly sessions: Sessions,
    private readonly forwardAuth: ForwardAuth,
    private readonly external: ExternalLogins,
  ) {}

  /**
   * Returns the user of the session. Returns undefined before a login, and after the session has ended. If a trusted
   * proxy names a user, logs in this user.
   */
  async find(request: Request): Promise<User | undefined> {
    const user = await this.sessions.find(request);
    return this.forwardAuth.isOn ? this.named(request, user) : user;
  }

  /** Returns true if a trusted proxy names the user of the request. This user is then logged in. */
  async isNamed(request: Request): Promise<boolean> {
    return this.forwardAuth.isOn && (await this.find(request)) !== undefined;
  }

  /** Begins a session for a user whom an issuer or a proxy has authenticated. */
  logInBy(way: LoginWay, request: Request, user: User): Promise<void> {
    return this.sessions.begin(request, user, way);
  }

  /**
   * Checks the password from a login form. Returns undefined if the password is wrong. Begins a session, unless another
   * step is required first.
   */
  async logIn(
    request: Request,
    { email, password }: TypedCredentials = typedIn(request.body),
  ): Promise<{ user: User; due: LoginStep | undefined } | undefined> {
    const user = await this.authentication.byPassword(email, password);
    if (user === undefined) {
      return undefined;
    }
    const due = await this.stepOf(user);
    if (due === 'code') {
      this.pending.begin(request, user);
    } else if (due === undefined) {
      await this.sessions.begin(request, user);
    }
    return { user, due };
  }

  private async stepOf(user: User): Promise<LoginStep | undefined> {
    if (this.verifications.isDue(user)) {
      return 'verification';
    }
    return (await this.secondFactors.isOn(user)) ? 'code' : undefined;
  }

  /**
   * Ends the session if the proxy names another user. Also ends a session that began by proxy if the proxy no longer
   * names a user. Only GET and HEAD requests begin a new session, because a form belongs to the previous user.
   */
  private async named(request: Request, user: User | undefined): Promise<User | undefined> {
    const email = this.forwardAuth.emailOf(request);
    const isAsBefore = email === user?.email;
    if (isAsBefore || (email === undefined && request.session.loginBy !== 'proxy')) {
      return user;
    }
    await this.sessions.renew(request);
    if (email === undefined || !OPENING.has(request.method)) {
      return undefined;
    }
    const invitation = textOf(request.query, 'invitation');
    await this.logInBy('proxy', request, await this.external.byProxy(email, invitation));
    return this.sessions.find(request);
  }
}

const OPENING = new Set(['GET', 'HEAD']);

/**
 * The response header with the id of the user of a page. The service worker deletes the kept pages of any other user
 * (service-worker.js).
 */
const USER_HEADER = 'Satchel-User';

/** The visitor is not logged in. page-error.filter.ts handles this error with a redirect to the login page. */
export class SignInNeeded extends Error {}

/**
 * Accepts only requests of logged-in users, and applies their appearance settings.
 * @throws SignInNeeded if the visitor is not logged in
 */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(
    private readonly visitors: Visitors,
    private readonly pages: Pages,
    private readonly appearances: Appearances,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const user = await this.visitors.find(request);
    if (user === undefined) {
      throw new SignInNeeded();
    }
    request.user = user;
    this.pages.dress(response, await this.appearances.of(user.id));
    response.set(USER_HEADER, user.id);
    return true;
  }
}
