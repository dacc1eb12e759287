import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { textOf } from '../../platform/common/request-fields.js';
import { isFromThisSite } from '../../platform/http/request-origin.js';
import { innerUrlOf } from '../../platform/http/sub-path.js';
import { hasCsrfToken } from '../csrf.guard.js';
import { localPath } from '../local-path.js';
import { goTo } from '../pages.js';
import { Visitors } from '../visitors.js';
import { keptFormIn, keptFormOf } from './kept-form.js';
import { destinationOf, fitsIntoAddress, onwardIn, pathTo } from './onward.js';
import { RegistrationPage } from './registration-page.js';
import { ResendPage } from './resend-page.js';
import { SignInPage } from './sign-in-page.js';

const ENDED = 'Your session has ended.';
const OUTDATED = 'This page was open for too long.';
const LOGIN_FORMS = /^\/auth\/(?:login(?:\/code)?|register)$/;

/**
 * Handles visitors who must log in first. Keeps the address that they opened, or the form that they sent
 * (docs/use/reader.md). A form from another site is not kept, because a single click could send it.
 */
@Injectable()
export class InterruptedVisits {
  constructor(
    private readonly visitors: Visitors,
    private readonly signIn: SignInPage,
    private readonly registration: RegistrationPage,
    private readonly resend: ResendPage,
  ) {}

  /** Redirects to the login page. After the login, the browser is redirected to the page that the visitor opened. */
  async openAfterLogin(request: Request, response: Response): Promise<void> {
    const onward = { next: localPath(innerUrlOf(request)) };
    if (fitsIntoAddress(onward)) {
      goTo(response, pathTo('/auth/login', onward));
      return;
    }
    await this.signIn.show({ request, response, onward, status: 403 });
  }

  /**
   * Keeps a form and shows the login page. Returns false without sending a response if the form is from another site or
   * cannot be kept.
   */
  async keepForm(request: Request, response: Response): Promise<boolean> {
    if (!hasCsrfToken(request) && !isFromThisSite(request)) {
      return false;
    }
    if (LOGIN_FORMS.test(request.path)) {
      await this.logInAgain(request, response);
      return true;
    }
    const kept = keptFormOf(request);
    if (kept === undefined) {
      return false;
    }
    const user = await this.visitors.find(request);
    if (user === undefined) {
      await this.signIn.show({ request, response, onward: {}, kept, error: ENDED, status: 403 });
    } else {
      this.resend.show({ request, response, user, kept, status: 403 });
    }
    return true;
  }

  /**
   * Handles the form of a login page that was open too long. The session of the page has ended, or the time for
   * entering the code is over.
   */
  private async logInAgain(request: Request, response: Response): Promise<void> {
    const body: unknown = request.body;
    const kept = keptFormIn(body);
    const user = await this.visitors.find(request);
    const visit = { request, response, onward: onwardIn(body), status: 403 };
    if (user !== undefined && kept !== undefined) {
      this.resend.show({ request, response, user, kept });
    } else if (user !== undefined) {
      goTo(response, destinationOf(visit.onward));
    } else if (request.path !== '/auth/register') {
      await this.signIn.show({ ...visit, kept, email: textOf(body, 'email'), error: OUTDATED });
    } else {
      await this.registration.show({ ...visit, errors: [{ field: '', text: OUTDATED }] });
    }
  }
}
