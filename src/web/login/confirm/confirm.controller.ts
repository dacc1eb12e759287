import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { InvalidCredentialsError } from '../../../auth/auth.errors.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Confirmations } from '../../../auth/session/confirmations.js';
import { RecentLogins } from '../../../auth/session/recent-logins.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { codeErrorOf, type FormError } from '../../forms.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { OpenWithoutSecondFactor } from '../../visitors.js';
import { goOnConfirmed, loginVisitIn } from '../login-visit.js';
import { destinationOf, onwardIn } from '../onward.js';
import { confirmError, ConfirmPage } from './confirm-page.js';

/** The page on which a logged-in user proves the identity again before a change of security (docs/decisions/0128). */
@Page('auth/confirm')
@OpenWithoutSecondFactor('missing', 'unproven')
export class ConfirmController {
  constructor(
    private readonly page: ConfirmPage,
    private readonly logins: RecentLogins,
    private readonly confirmations: Confirmations,
  ) {}

  @Get()
  async ask(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const onward = onwardIn(request.query);
    return (await this.logins.isDue(request, user))
      ? this.page.show(user, { onward })
      : redirect(destinationOf(onward));
  }

  /**
   * Checks the password and the code. Failed attempts are limited like failed logins. A user who has confirmed the login
   * in another tab needs neither.
   */
  @Post()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async confirm(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const visit = loginVisitIn(request.body);
    const errors = (await this.logins.isDue(request, user))
      ? await this.errorsOf(request, user)
      : [];
    return errors.length > 0
      ? this.page.show(user, { ...visit, errors, status: 403 })
      : goOnConfirmed(user, visit);
  }

  private async errorsOf(request: Request, user: User): Promise<FormError[]> {
    const body: unknown = request.body;
    if (textOf(body, 'claim') === '1') {
      return [confirmError(message('confirm.errors.notYet'))];
    }
    try {
      const typed = { password: textOf(body, 'password'), otp: textOf(body, 'otp') };
      await this.confirmations.confirm(request, user, typed);
      return [];
    } catch (error) {
      return error instanceof InvalidCredentialsError
        ? [confirmError(message('account.password.incorrect'), 'password')]
        : [confirmError(codeErrorOf(error), 'otp')];
    }
  }
}
