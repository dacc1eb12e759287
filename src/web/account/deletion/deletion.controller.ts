import { Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { AccountDeletion } from '../../../auth/account-deletion.js';
import { AccountsService } from '../../../auth/accounts.service.js';
import { InvalidCredentialsError, LastAdministratorError } from '../../../auth/auth.errors.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { type FormError, formError, formErrorsOf } from '../../forms.js';
import { RecentLogin } from '../../login/confirm/recent-login.guard.js';
import { messagePage } from '../../message-page.js';
import { Page } from '../../page.js';
import { forgetSiteData } from '../../pages.js';
import { type ShownPage, Template } from '../../template.js';
import { AccountContents, type Contents } from './account-contents.js';

interface DeletionModel extends Contents {
  readonly email: string;
  /** True if the password confirms the deletion. Otherwise, the typed email address does. */
  readonly hasPassword: boolean;
  readonly isLastAdministrator: boolean;
  readonly errors: readonly FormError[];
}

const template = new Template<DeletionModel>('account/deletion/deletion', { kind: 'reader' });

/** The page on which users delete their own accounts. */
@Page('account/delete')
export class DeletionPageController {
  constructor(
    private readonly deletion: AccountDeletion,
    private readonly accounts: AccountsService,
    private readonly contents: AccountContents,
    private readonly sessions: Sessions,
  ) {}

  @Get()
  @RecentLogin({ hasPasswordInForm: true })
  show(@CurrentUser() user: User): Promise<ShownPage> {
    return this.showForm(user);
  }

  /**
   * Deletes the account. The response shows the result itself, because a proxy that logs people in would create the
   * account again at the next page. Failed attempts are limited like failed logins.
   */
  @Post()
  @RecentLogin({ hasPasswordInForm: true })
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async delete(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ShownPage> {
    try {
      await this.deletion.delete(user, {
        current: textOf(request.body, 'current'),
        email: textOf(request.body, 'confirmed_email'),
      });
    } catch (error) {
      return this.showForm(user, this.errorsOf(user, error));
    }
    await this.sessions.leave(request, response);
    forgetSiteData(response);
    return messagePage.page({
      heading: message('account.deletion.done.title'),
      text: message('account.deletion.done.text'),
      action: { href: '/', label: message('account.deletion.done.action') },
    });
  }

  private async showForm(user: User, errors: readonly FormError[] = []): Promise<ShownPage> {
    const model = {
      email: user.email,
      hasPassword: this.accounts.hasPassword(user),
      isLastAdministrator: await this.deletion.isLastAdministrator(user),
      ...(await this.contents.of(user.id)),
      errors,
    };
    return template.page(model, { status: errors.length > 0 ? 400 : 200 });
  }

  /** Returns the messages for a rejected deletion. Rethrows unexpected errors. */
  private errorsOf(user: User, error: unknown): FormError[] {
    if (error instanceof LastAdministratorError) {
      return [formError(message('account.deletion.lastAdministrator'))];
    }
    if (!(error instanceof InvalidCredentialsError)) {
      return formErrorsOf(error);
    }
    return this.accounts.hasPassword(user)
      ? [{ field: 'current', text: message('account.password.incorrect') }]
      : [{ field: 'confirmed_email', text: message('account.deletion.wrongEmail') }];
  }
}
