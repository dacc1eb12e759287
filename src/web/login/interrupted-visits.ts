import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { textOf } from '../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../platform/http/answer.js';
import { isFromThisSite } from '../../platform/http/request-origin.js';
import { innerUrlOf } from '../../platform/http/sub-path.js';
import { message } from '../../platform/i18n/message.js';
import { hasCsrfToken } from '../csrf.guard.js';
import { formError } from '../forms.js';
import { localPath } from '../local-path.js';
import type { ShownPage } from '../template.js';
import { ANY_FACTOR_STATE, Visitors } from '../visitors.js';
import { ConfirmPage } from './confirm/confirm-page.js';
import { keptFormOf } from './kept-form.js';
import { goOn, loginVisitIn } from './login-visit.js';
import { fitsIntoAddress, pathTo } from './onward.js';
import { RegistrationPage } from './registration/registration-page.js';
import { askToResend } from './resend/resend-page.js';
import { SignInPage } from './sign-in/sign-in-page.js';

const LOGIN_FORMS = /^\/auth\/(?:login(?:\/code)?(?:\/passkey)?|register|confirm(?:\/passkey)?)$/;

/**
 * Handles visitors who must log in first. Remembers the page that the visitor opened or the form
 * that the visitor sent, and continues with it after the login (docs/use/reader.md). Ignores forms
 * from other sites, because the visitor might send a malicious form after the login.
 */
@Injectable()
export class InterruptedVisits {
  constructor(
    private readonly visitors: Visitors,
    private readonly signIn: SignInPage,
    private readonly registration: RegistrationPage,
    private readonly confirm: ConfirmPage,
  ) {}

  /** Redirects to the login page. After the login, the browser is redirected to the page that the visitor opened. */
  async openAfterLogin(request: Request): Promise<ShownPage | Answer> {
    const onward = { next: localPath(innerUrlOf(request)) };
    if (fitsIntoAddress(onward)) {
      return redirect(pathTo('/auth/login', onward));
    }
    return this.signIn.show({ onward, status: 403 });
  }

  /**
   * Redirects to the page on which the user sets up or uses a second factor. Afterwards, the browser opens the page that
   * the user wanted. A form is not kept.
   */
  askForFactor(request: Request): Answer {
    const next = request.method === 'POST' ? undefined : localPath(innerUrlOf(request));
    return redirect(pathTo('/auth/second-factor', { next }));
  }

  /**
   * Handles a request that needs a recent login. Returns the page on which the user proves the identity again. This page
   * contains the form that the user has sent, or the path of the page with the form.
   */
  async askToConfirm(request: Request, formPath: string): Promise<ShownPage | Answer> {
    const isForm = request.method === 'POST';
    const kept = isForm ? keptFormOf(request) : undefined;
    const next = isForm ? localPath(formPath) : localPath(innerUrlOf(request));
    const onward = kept === undefined ? { next } : {};
    if (kept === undefined && fitsIntoAddress(onward)) {
      return redirect(pathTo('/auth/confirm', onward));
    }
    const user = await this.visitors.find(request, ANY_FACTOR_STATE);
    return user === undefined
      ? this.signIn.show({ onward, kept, status: 403 })
      : this.confirm.show(user, { onward, kept, status: 403 });
  }

  /**
   * Handles a form that was sent without a valid session. If the visitor is logged out, shows the
   * login page, which contains the form until the login is complete. If the visitor is logged in,
   * asks whether to send the form again. Returns undefined if the form is from another site or
   * cannot be sent again.
   */
  async keepForm(request: Request): Promise<ShownPage | Answer | undefined> {
    if (!hasCsrfToken(request) && !isFromThisSite(request)) {
      return undefined;
    }
    if (LOGIN_FORMS.test(request.path)) {
      return this.logInAgain(request);
    }
    const kept = keptFormOf(request);
    const user = await this.visitors.find(request, ANY_FACTOR_STATE);
    if (user === undefined) {
      const error = message('login.errors.sessionEnded');
      return this.signIn.show({ onward: {}, kept, error, status: 403 });
    }
    return kept && askToResend(user, kept, { status: 403 });
  }

  /**
   * Handles a login form that was sent too late: the session of the login page has ended, or the
   * time for entering the code of the second factor is over.
   */
  private async logInAgain(request: Request): Promise<ShownPage | Answer> {
    const visit = loginVisitIn(request.body);
    const user = await this.visitors.find(request, ANY_FACTOR_STATE);
    if (user !== undefined) {
      return goOn(user, visit);
    }
    const error = message('login.errors.outdated');
    if (request.path === '/auth/register') {
      const { onward } = visit;
      return this.registration.show({ request, onward, errors: [formError(error)], status: 403 });
    }
    const email = textOf(request.body, 'email');
    return this.signIn.show({ ...visit, email, error, status: 403 });
  }
}
