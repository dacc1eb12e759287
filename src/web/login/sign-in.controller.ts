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
 * Shown to a person who claims to have logged in in another tab, or who sends a password although password login is
 * off.
 */
const NOT_YET = 'You are not logged in yet.';
const WRONG = 'The email address or the password is not right.';

interface FinishedLogin {
  readonly request: Request;
  readonly response: Response;
  readonly user: User;
  readonly destination: string;
}

/** Logs a person in, on the way to an application's request, to a page, or to a form that came too late. */
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

  /** Shows the same error whatever is wrong (docs/decisions/0010). */
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

  /** Handles the reload of a page that showed an error. */
  @Get('auth/login/code')
  startAgain(@Res() response: Response): void {
    goTo(response, '/auth/login');
  }

  /** Attempts at codes count like attempts at passwords (docs/decisions/0063). */
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
   * Logs out, and clears the data that the browser has stored for the user. A form that was kept stays for the next
   * user.
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

  /** An unreachable issuer does not keep a user from logging out. */
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
