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

/** What a right password leads to before there is a session: the link in a mail, or the code of the second factor. */
type LoginStep = 'verification' | 'code';

/** What a visitor has put into a form. */
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

  /** Undefined before a login, and after the session was ended. A trusted proxy logs the user in whom it names. */
  async find(request: Request): Promise<User | undefined> {
    const user = await this.sessions.find(request);
    return this.forwardAuth.isOn ? this.named(request, user) : user;
  }

  /** Tells whether a trusted proxy has named the user, who is logged in then. */
  async isNamed(request: Request): Promise<boolean> {
    return this.forwardAuth.isOn && (await this.find(request)) !== undefined;
  }

  /** Begins a session for a user who has logged in elsewhere. */
  logInBy(way: LoginWay, request: Request, user: User): Promise<void> {
    return this.sessions.begin(request, user, way);
  }

  /** If the password of the form is right, begins a session for its user, unless another step is due. */
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
   * A session ends when the proxy names another user, or one of its own when it names none any more. Nothing but
   * opening a page begins one: a form that was sent belongs to the user who was there before.
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

/** Names the user of a page to the service worker, which forgets the pages of any other user (service-worker.js). */
const USER_HEADER = 'Satchel-User';

/** The visitor has not logged in: the answer is a redirect to the page for that (page-error.filter.ts). */
export class SignInNeeded extends Error {}

/** Lets logged-in users pass, to pages that look as they have chosen. */
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
