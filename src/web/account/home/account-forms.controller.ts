import { Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { AccountsService } from '../../../auth/accounts.service.js';
import { InvalidCredentialsError } from '../../../auth/auth.errors.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { isExportFormat } from '../../../lib/library-formats/writing/export-formats.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { sendExport } from '../../../transfer/downloads.js';
import { ExportService } from '../../../transfer/export/export.service.js';
import { type FormError, formErrorsOf } from '../../forms.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { AccountPage } from './account-page.js';

/** The forms of the account page that change the password and export the list as a file. */
@Page('account')
export class AccountFormsController {
  constructor(
    private readonly page: AccountPage,
    private readonly accounts: AccountsService,
    private readonly sessions: Sessions,
    private readonly exports: ExportService,
  ) {}

  /** Changes the password. Failed attempts are limited like failed logins (docs/decisions/0013). */
  @Post('password')
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
    await this.sessions.begin(request, changed, request.session.loginBy);
    return redirect('/account?done=password');
  }

  @Post('export')
  async export(
    @CurrentUser() { id: userId }: User,
    @Req() { body }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const format = textOf(body, 'format');
    if (!isExportFormat(format)) {
      throw new ValidationFailedError([
        fieldProblem('format', 'must be one of those that the page offers'),
      ]);
    }
    const withArticles = textOf(body, 'articles') === '1';
    response.status(200);
    await sendExport(response, this.exports, { userId, format, withArticles });
  }

  /** Changes the password. Returns the updated user, or the errors of the form. */
  private async withNewPassword(user: User, { body }: Request): Promise<User | FormError[]> {
    const change = { current: textOf(body, 'current'), next: textOf(body, 'password') };
    try {
      return await this.accounts.changePassword(user, change);
    } catch (error) {
      return error instanceof InvalidCredentialsError
        ? [{ field: 'current', text: message('account.password.wrong') }]
        : formErrorsOf(error);
    }
  }
}
