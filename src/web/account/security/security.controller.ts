import { Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { AccountsService } from '../../../auth/accounts.service.js';
import { InvalidCredentialsError } from '../../../auth/auth.errors.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { type FormError, formErrorsOf } from '../../forms.js';
import { RecentLogin } from '../../login/confirm/recent-login.guard.js';
import { Page } from '../../page.js';
import { forgetSiteData } from '../../pages.js';
import type { ShownPage } from '../../template.js';
import { ApplicationAccess } from './application-access.js';
import { SecurityPage } from './security-page.js';

/** The page on which a user changes the password, sees the sessions, and logs out everywhere. */
@Page('account')
export class SecurityPageController {
  constructor(
    private readonly page: SecurityPage,
    private readonly accounts: AccountsService,
    private readonly sessions: Sessions,
    private readonly access: ApplicationAccess,
  ) {}

  @Get('security')
  show(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    return this.page.show(user, request);
  }

  /** Changes the password. Failed attempts are limited like failed logins (docs/decisions/0013). */
  @Post('password')
  @RecentLogin({ formPath: '/account/security', hasPasswordInForm: true })
  @UseGuards(PasswordLoginGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async changePassword(
    @CurrentUser() user: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const changed = await this.withNewPassword(user, request);
    if (Array.isArray(changed)) {
      return this.page.show(user, request, changed);
    }
    await this.sessions.goOn(request, changed);
    const done = wantsToRevoke(request) ? 'password-revoked' : 'password';
    return redirect(`/account/security?done=${done}`);
  }

  @Post('sign-out')
  async signOut(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer> {
    // End the sessions first. Otherwise, another session could create a key after the keys were revoked.
    await this.sessions.end(user, request, response);
    if (wantsToRevoke(request)) {
      await this.access.end(user);
    }
    forgetSiteData(response);
    return redirect('/auth/login');
  }

  /** Changes the password. Returns the updated user, or the errors of the form. */
  private async withNewPassword(user: User, request: Request): Promise<User | FormError[]> {
    const change = {
      current: textOf(request.body, 'current'),
      next: textOf(request.body, 'password'),
      endAccess: wantsToRevoke(request) ? this.access.endIn.bind(this.access) : undefined,
    };
    try {
      return await this.accounts.changePassword(user, change);
    } catch (error) {
      return error instanceof InvalidCredentialsError
        ? [{ field: 'current', text: message('account.password.wrong') }]
        : formErrorsOf(error);
    }
  }
}

/** Returns true if the form also ends the access of all applications. */
const wantsToRevoke = ({ body }: Request): boolean => textOf(body, 'revoke') === '1';
