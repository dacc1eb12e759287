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

/** Finds the user of a page's session, and logs users in. */
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
   * Returns the user of the session. Undefined before a login, and after the session has ended. With a trusted proxy,
   * logs in the user that the proxy names.
   */
  async find(request: Request): Promise<User | undefined> {
    const user = await this.sessions.find(request);
    return this.forwardAuth.isOn ? this.named(request, user) : user;
  }

  /** Returns true if a trusted proxy has named the user, who is logged in then. */
  async isNamed(request: Request): Promise<boolean> {
    return this.forwardAuth.isOn && (await this.find(request)) !== undefined;
  }

  /** Begins a session for a user who has been authenticated elsewhere. */
  logInBy(way: LoginWay, request: Request, user: User): Promise<void> {
    return this.sessions.begin(request, user, way);
  }

  /**
   * Checks the password of a form. Returns undefined if it is wrong. Otherwise begins a session, unless another step is
   * due.
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
   * Ends the session if the proxy names another user, or names none and the session began by proxy. Only GET and HEAD
   * requests begin a session, because a form that was sent belongs to the previous user.
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

/** Contains the user of a page. The service worker deletes the pages of any other user (service-worker.js). */
const USER_HEADER = 'Satchel-User';

/** The visitor has not logged in. page-error.filter.ts redirects to the login page. */
export class SignInNeeded extends Error {}

/**
 * Admits logged-in users only, and applies their appearance settings.
 * @throws SignInNeeded
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
