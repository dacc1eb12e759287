import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { AuthenticationService } from '../auth/authentication.service.js';
import type { User } from '../auth/entities/user.entity.js';
import { Sessions, subjectOf } from '../auth/session/sessions.js';
import { textOf } from '../common/parse-request.js';
import { Pages } from './pages.js';
import { Appearances } from './reader/appearance/appearance.js';

/** Finds the user of a page's session, and logs users in. */
@Injectable()
export class Visitors {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly sessions: Sessions,
  ) {}

  /** Undefined before a login, and after the session was ended. */
  async find({ session }: Request): Promise<User | undefined> {
    const subject = subjectOf(session);
    return subject && this.authentication.bySubject(subject);
  }

  /** Begins a session for the user of the form if the password is right. */
  async logIn(request: Request): Promise<User | undefined> {
    const body: unknown = request.body;
    const user = await this.authentication.byPassword(
      textOf(body, 'email'),
      textOf(body, 'password'),
    );
    if (user !== undefined) {
      await this.sessions.begin(request, user);
    }
    return user;
  }
}

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
    return true;
  }
}
