import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../auth/entities/user.entity.js';
import { Issuer } from '../../auth/external/issuer.js';
import { CurrentUser, PasswordLoginGuard } from '../../auth/http/auth.guards.js';
import { SecondFactors } from '../../auth/second-factor/second-factors.js';
import { Sessions } from '../../auth/session/sessions.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/public.js';
import { ThrottledBy, ThrottleGuard } from '../../platform/throttling/throttle.guard.js';
import { CsrfGuard } from '../csrf.guard.js';
import { codeErrorOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { forgetSiteData, goTo } from '../pages.js';
import { Visitors } from '../visitors.js';
import { EmailVerificationPage } from './email-verification.controller.js';
import { keptFormIn } from './kept-form.js';
import { destinationOf, onwardIn } from './onward.js';
import { PendingLoginGuard } from './pending-logins.js';
import { ResendPage } from './resend-page.js';
import { SignInPage } from './sign-in-page.js';

/**
 * The message for a person who claims to have logged in in another tab, but has not. It is also shown if a password is
 * sent although password login is off.
 */
const NOT_YET = 'You are not logged in yet.';
const WRONG = 'The email address or the password is not right.';

interface FinishedLogin {
  readonly request: Request;
  readonly response: Response;
  readonly user: User;
  readonly destination: string;
}

/**
 * Logs a person in. Afterwards, redirects to the request of an application or to another page, or shows a kept form.
 */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class SignInController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly page: SignInPage,
    private readonly visitors: Visitors,
    private readonly secondFactors: SecondFactors,
    private readonly sessions: Sessions,
    private readonly resend: ResendPage,
    private readonly verification: EmailVerificationPage,
    private readonly issuer: Issuer,
    private readonly config: Config,
  ) {}

  @Get('auth/login')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const onward = onwardIn(request.query);
    if ((await this.visitors.find(request)) !== undefined) {
      goTo(response, destinationOf(onward));
      return;
    }
    await this.page.show({ request, response, onward });
  }

  /** Logs a person in by password. All wrong credentials get the same error (docs/decisions/0010). */
  @Post('auth/login')
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async logIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const onward = onwardIn(request.body);
    const kept = keptFormIn(request.body);
    if (!this.config.passwordLogin) {
      await this.page.show({ request, response, onward, kept, error: NOT_YET, status: 403 });
      return;
    }
    const login = await this.visitors.logIn(request);
    if (login === undefined) {
      const email = textOf(request.body, 'email');
      await this.page.show({ request, response, onward, kept, email, error: WRONG, status: 403 });
    } else if (login.due === 'verification') {
      this.verification.show(request, response, { email: login.user.email, status: 403 });
    } else if (login.due === 'code') {
      this.page.askForCode({ request, response, onward, kept });
    } else {
      this.goOn({ request, response, user: login.user, destination: destinationOf(onward) });
    }
  }

  /** Redirects to the login page if a person reloads the page that showed the error of a code. */
  @Get('auth/login/code')
  startAgain(@Res() response: Response): void {
    goTo(response, '/auth/login');
  }

  /**
   * Completes a login with the code of the second factor. Attempts count like password attempts (docs/decisions/0063).
   */
  @Post('auth/login/code')
  @UseGuards(PasswordLoginGuard, CsrfGuard, PendingLoginGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async enterCode(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const onward = onwardIn(request.body);
    const kept = keptFormIn(request.body);
    try {
      await this.secondFactors.admit(user, textOf(request.body, 'otp'));
    } catch (error) {
      const text = codeErrorOf(error);
      this.page.askForCode({ request, response, onward, kept, error: text, status: 403 });
      return;
    }
    await this.sessions.begin(request, user);
    this.goOn({ request, response, user, destination: destinationOf(onward) });
  }

  /**
   * Logs the user out, and clears the data that the browser has stored for the user. A kept form is still there at the
   * next login.
   */
  @Post('auth/leave')
  @UseGuards(CsrfGuard)
  async leave(@Req() request: Request, @Res() response: Response): Promise<void> {
    const onward = onwardIn(request.body);
    const kept = keptFormIn(request.body);
    forgetSiteData(response);
    if (kept === undefined) {
      const hasIssuerSession =
        request.session.loginBy === 'issuer' && (await this.canLogOutThere());
      await this.sessions.leave(request, response);
      this.page.signedOut(response, onward, hasIssuerSession ? this.issuer.name : undefined);
      return;
    }
    await this.sessions.renew(request);
    await this.page.show({ request, response, onward, kept });
  }

  /**
   * Returns true if the user can also log out at the issuer. Returns false if the issuer is unreachable. The logout at
   * this service still succeeds.
   */
  private canLogOutThere(): Promise<boolean> {
    return this.issuer.logoutUrl().then(
      (url) => url !== undefined,
      () => false,
    );
  }

  private goOn({ destination, ...login }: FinishedLogin): void {
    const kept = keptFormIn(login.request.body);
    if (kept === undefined) {
      goTo(login.response, destination);
    } else {
      this.resend.show({ ...login, kept });
    }
  }
}
