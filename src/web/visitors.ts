import {
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';

import { AuthenticationService } from '../auth/authentication.service.js';
import type { User } from '../auth/entities/user.entity.js';
import { ExternalLogins } from '../auth/external/external-logins.js';
import { ForwardAuth } from '../auth/external/forward-auth.js';
import { EmailVerifications } from '../auth/links/email-verifications.js';
import {
  type FactorState,
  SecondFactorRequirement,
} from '../auth/second-factor/second-factor-requirement.js';
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
    private readonly requirement: SecondFactorRequirement,
  ) {}

  /**
   * Returns the user of the session, or undefined if the visitor is not logged in. If a trusted
   * proxy sends the email address of a user, logs this user in first. Users in the states `open` go on without the
   * second factor that the operator requires.
   * @throws SecondFactorNeeded if the user must set up or use a second factor first
   */
  async find(request: Request, open: readonly FactorState[] = []): Promise<User | undefined> {
    const found = await this.sessions.find(request);
    const user = this.forwardAuth.isOn ? await this.named(request, found) : found;
    const state = user === undefined ? 'met' : await this.requirement.stateOf(request, user);
    if (state !== 'met' && !open.includes(state)) {
      throw new SecondFactorNeeded();
    }
    return user;
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
 * Thrown if the user must set up or use a second factor first. page-error.filter.ts handles this error with a redirect
 * to the page that asks for it.
 */
export class SecondFactorNeeded extends Error {}

/** The states of users who can log out and confirm their login, but cannot open other pages. */
export const ANY_FACTOR_STATE: readonly FactorState[] = ['missing', 'unproven'];

const OPEN_STATES = 'satchel:open-without-second-factor';

/** Opens a page, or one of its handlers, to users in these states, although the operator requires a second factor. */
export const OpenWithoutSecondFactor = (...states: readonly FactorState[]): CustomDecorator =>
  SetMetadata(OPEN_STATES, states);

/**
 * Accepts only requests of logged-in users, and applies their appearance settings.
 * @throws SignInNeeded if the visitor is not logged in
 * @throws SecondFactorNeeded if the user must set up or use a second factor first
 */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(
    private readonly visitors: Visitors,
    private readonly pages: Pages,
    private readonly appearances: Appearances,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const places = [context.getHandler(), context.getClass()];
    const open = this.reflector.getAllAndOverride<readonly FactorState[] | undefined>(
      OPEN_STATES,
      places,
    );
    const user = await this.visitors.find(request, open);
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
