import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { AuthenticationService } from '../auth/authentication.service.js';
import type { User } from '../auth/entities/user.entity.js';
import { ExternalLogins } from '../auth/external/external-logins.js';
import { ForwardAuth } from '../auth/external/forward-auth.js';
import { EmailVerifications } from '../auth/links/email-verifications.js';
import { SecondFactors } from '../auth/second-factor/second-factors.js';
import { originOf } from '../auth/session/device.js';
import type { LoginWay } from '../auth/session/session-cookie.js';
import { Sessions } from '../auth/session/sessions.js';
import { textOf } from '../platform/common/request-fields.js';
import { PendingLogins } from './login/pending-logins.js';
import { Pages } from './pages.js';
import { Appearances } from './reader/appearance/appearance.js';

/**
 * A step that a login requires after the correct password: opening the link in a verification mail, or entering the
 * code of the second factor.
 */
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

/** Finds the user to whom the session of a request belongs, and logs users in. */
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
   * Returns the user of the session, or undefined if the visitor is not logged in. If a trusted
   * proxy sends the email address of a user, logs this user in first.
   */
  async find(request: Request): Promise<User | undefined> {
    const user = await this.sessions.find(request);
    return this.forwardAuth.isOn ? this.named(request, user) : user;
  }

  /**
   * Returns true if a trusted proxy can log users in, and the visitor is logged in. Logs the
   * visitor in if the proxy sends the email address of a user.
   */
  async isNamed(request: Request): Promise<boolean> {
    return this.forwardAuth.isOn && (await this.find(request)) !== undefined;
  }

  /**
   * Begins a session for a user whom an issuer or a proxy has authenticated. `provenAt` is the time at which the person
   * entered credentials. It is null for a proxy, because the person may have entered nothing.
   */
  logInBy(by: LoginWay, request: Request, user: User, provenAt: Date | null): Promise<void> {
    return this.sessions.begin(request, user, { by, provenAt });
  }

  /**
   * Checks the password from a login form. Returns undefined if the password is wrong. If the password is correct,
   * begins a session, unless the login requires another step.
   */
  async logIn(
    request: Request,
    { email, password }: TypedCredentials = typedIn(request.body),
  ): Promise<{ user: User; due: LoginStep | undefined } | undefined> {
    const user = await this.authentication.byPassword(email, password, originOf(request));
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
   * Ends the session if the proxy sends the email address of another user. Also ends a session that
   * began through the proxy if the proxy no longer sends an email address.
   *
   * Logs in the other user only for GET and HEAD requests, because a form may come from the
   * previous user.
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
    const visit = {
      invitation: textOf(request.query, 'invitation'),
      origin: originOf(request),
    };
    await this.logInBy('proxy', request, await this.external.byProxy(email, visit), null);
    return this.sessions.find(request);
  }
}

const OPENING = new Set(['GET', 'HEAD']);

/**
 * The response header with the id of the user for whom a page was rendered. The service worker
 * deletes stored pages of other users (service-worker.js).
 */
const USER_HEADER = 'Satchel-User';

/**
 * Thrown if the visitor is not logged in. page-error.filter.ts handles this error with a redirect to the login page.
 */
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
    this.pages.writeDates(response, user);
    response.set(USER_HEADER, user.id);
    return true;
  }
}
