import { Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Issuer } from '../../../auth/external/issuer.js';
import { RegistrationService } from '../../../auth/registration.service.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { Config } from '../../../platform/config/config.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { type Message, message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { Page } from '../../page.js';
import { forgetSiteData } from '../../pages.js';
import { type ShownPage, Template } from '../../template.js';
import { Visitors } from '../../visitors.js';
import { CodePage } from '../code/code-page.js';
import { askToVerify } from '../email-verification/email-verification.controller.js';
import { goOn, loginVisitIn } from '../login-visit.js';
import { destinationOf, onwardIn, pathTo } from '../onward.js';
import { SignInPage } from './sign-in-page.js';

/** The flash messages of the login page, keyed by the `done` query parameter. */
const NOTICES: ReadonlyMap<string, Message> = new Map([
  ['password', message('login.done.password')],
  ['verified', message('login.done.verified')],
]);

/**
 * The page after a logout from this service. The page has a link for the logout from the issuer, because the session at
 * the issuer has not ended.
 */
const signedOutPage = new Template<{ readonly issuerName: string; readonly againHref: string }>(
  'login/sign-in/signed-out',
);

/**
 * Logs people in and out. After a login, the person continues with the page or the form that the login pages have kept
 * (login-visit.ts).
 */
@Page('', { for: 'everyone' })
export class SignInController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly page: SignInPage,
    private readonly visitors: Visitors,
    private readonly registrations: RegistrationService,
    private readonly codePage: CodePage,
    private readonly sessions: Sessions,
    private readonly issuer: Issuer,
    private readonly config: Config,
  ) {}

  /**
   * Shows the login page. Before the first account exists, redirects to the registration page,
   * because no one can log in.
   */
  @Get('auth/login')
  async ask(@Req() request: Request): Promise<ShownPage | Answer> {
    const onward = onwardIn(request.query);
    if ((await this.visitors.find(request)) !== undefined) {
      return redirect(destinationOf(onward));
    }
    return (await this.registrations.awaitsFirstUser())
      ? redirect(pathTo('/auth/register', onward))
      : this.page.show({ onward, notice: NOTICES.get(textOf(request.query, 'done')) });
  }

  /** Logs a person in by password. All wrong credentials get the same error (docs/decisions/0010). */
  @Post('auth/login')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async logIn(@Req() request: Request): Promise<ShownPage | Answer> {
    const visit = loginVisitIn(request.body);
    if (!this.config.passwordLogin) {
      // This happens if a person confirms a login in another tab, but is not logged in. It also
      // happens if the form was opened before password login was turned off.
      return this.page.show({ ...visit, error: message('login.errors.notYet'), status: 403 });
    }
    const login = await this.visitors.logIn(request);
    if (login === undefined) {
      const email = textOf(request.body, 'email');
      return this.page.show({ ...visit, email, error: message('login.errors.wrong'), status: 403 });
    }
    if (login.due === 'verification') {
      return askToVerify({ email: login.user.email, status: 403 });
    }
    return login.due === 'code' ? this.codePage.show(login.user, visit) : goOn(login.user, visit);
  }

  /**
   * Logs the user out, and clears the data that the browser has stored for the user. If the request
   * contains a form to send after the next login, shows the login page with this form.
   */
  @Post('auth/leave')
  async leave(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage | Answer> {
    const visit = loginVisitIn(request.body);
    forgetSiteData(response);
    if (visit.kept !== undefined) {
      await this.sessions.renew(request);
      return this.page.show(visit);
    }
    const issuerName = await this.issuerToLeave(request);
    await this.sessions.leave(request, response);
    const againHref = pathTo('/auth/login', visit.onward);
    return issuerName === undefined
      ? redirect(againHref)
      : signedOutPage.page({ issuerName, againHref });
  }

  /**
   * Returns the name of the issuer if the user has logged in with the issuer and can also log out from the issuer.
   * Returns undefined if the issuer is unreachable, because the logout from this service must not fail.
   */
  private async issuerToLeave({ session }: Request): Promise<string | undefined> {
    if (session.loginBy !== 'issuer') {
      return undefined;
    }
    try {
      return (await this.issuer.logoutUrl()) && this.issuer.name;
    } catch {
      return undefined;
    }
  }
}
