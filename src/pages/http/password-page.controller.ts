import { Controller, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { InvalidCredentialsError } from '../../auth/auth.errors.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/current-user.js';
import { Sessions } from '../../auth/http/sessions.js';
import { PasswordChangeService } from '../../auth/password-change.service.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { Public } from '../../common/http/public.js';
import { ThrottleGuard } from '../../throttling/throttle.guard.js';
import { ThrottledBy } from '../../throttling/throttled-by.js';
import { textOf } from '../fields.js';
import { formFaultsOf } from '../form-faults.js';
import type { FormFault } from '../views.js';
import { AccountPage } from './account-page.js';
import { CsrfGuard } from './csrf.guard.js';
import { PageErrorFilter } from './page-error.filter.js';
import { goTo } from './pages.js';
import { VisitorGuard } from './visitor.guard.js';

/** The form of the account page that changes the password. Its attempts count as logins (docs/decisions/0013). */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(CsrfGuard, VisitorGuard, ThrottleGuard)
@Controller()
export class PasswordPageController {
  constructor(
    private readonly page: AccountPage,
    private readonly passwords: PasswordChangeService,
    private readonly sessions: Sessions,
  ) {}

  @Post('account/password')
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async change(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const changed = await this.changed(user, request);
    if (Array.isArray(changed)) {
      await this.page.show({ user, request, response }, changed);
      return;
    }
    await this.sessions.begin(request, changed);
    goTo(response, '/account?done=password');
  }

  /** The user with the new password, or why it is the old one. */
  private async changed(user: User, { body }: Request): Promise<User | FormFault[]> {
    const change = { current: textOf(body, 'current'), next: textOf(body, 'password') };
    try {
      return await this.passwords.change(user, change);
    } catch (error) {
      return error instanceof InvalidCredentialsError
        ? [{ field: 'current', text: 'The current password is not right.' }]
        : formFaultsOf(error);
    }
  }
}
