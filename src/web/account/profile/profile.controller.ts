import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { AccountsService } from '../../../auth/accounts.service.js';
import { EmailTakenError, InvalidCredentialsError } from '../../../auth/auth.errors.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { EmailChanges } from '../../../auth/links/email-changes.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import {
  clientNetwork,
  ThrottledBy,
  ThrottleGuard,
} from '../../../platform/throttling/throttle.guard.js';
import { type FieldRules, type FormError, formError, formErrorsOf } from '../../forms.js';
import { RecentLogin } from '../../login/confirm/recent-login.guard.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { ProfilePage } from './profile-page.js';

const PATH = '/account/profile';

/** The page on which a user changes the name, the email address, the time zone, the date format and the language. */
@Page('account')
export class ProfilePageController {
  constructor(
    private readonly page: ProfilePage,
    private readonly accounts: AccountsService,
    private readonly emails: EmailChanges,
  ) {}

  @Get('profile')
  show(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    return this.page.show(user, request);
  }

  @Post('profile')
  async rename(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const name = textOf(request.body, 'name');
    const errors = await errorsOf(() => this.accounts.rename(user, name));
    if (errors.length > 0) {
      const heading = message('account.name.unchanged');
      return this.page.show(user, request, { heading, errors, typed: { name } });
    }
    return redirect(`${PATH}?done=name`);
  }

  /** Changes the email address. Attempts are limited like attempts to log in. */
  @Post('email')
  @RecentLogin({ formPath: PATH, hasPasswordInForm: true })
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async changeEmail(
    @CurrentUser() user: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const email = textOf(request.body, 'email');
    const current = textOf(request.body, 'current');
    const network = clientNetwork(request);
    const change = { email, current, network };
    const errors = this.page.isByProxy(request)
      ? [formError(message('account.email.byProxy'))]
      : await errorsOf(() => this.emails.request(user, change));
    if (errors.length > 0) {
      const heading = message('account.email.unchanged');
      return this.page.show(user, request, { heading, errors, typed: { email } });
    }
    return redirect(`${PATH}?done=${this.emails.areMailed ? 'email-mailed' : 'email'}`);
  }

  @Post('email/cancel')
  async cancelEmail(@CurrentUser() user: User): Promise<Answer> {
    await this.emails.cancel(user);
    return redirect(`${PATH}?done=email-cancelled`);
  }

  @Post('dates')
  async chooseDates(
    @CurrentUser() user: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const choice = { zone: textOf(request.body, 'zone'), format: textOf(request.body, 'format') };
    const errors = await errorsOf(() => this.accounts.chooseDates(user, choice));
    if (errors.length > 0) {
      const heading = message('account.dates.unchanged');
      return this.page.show(user, request, { heading, errors, typed: {} });
    }
    return redirect(`${PATH}?done=dates`);
  }

  @Post('language')
  async chooseLanguage(
    @CurrentUser() user: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const language = textOf(request.body, 'language');
    const errors = await errorsOf(() => this.accounts.chooseLanguage(user, language));
    if (errors.length > 0) {
      const heading = message('account.language.unchanged');
      return this.page.show(user, request, { heading, errors, typed: {} });
    }
    return redirect(`${PATH}?done=language`);
  }
}

/** The messages for fields that are rejected without a message for people, keyed by field name. */
const RULES: FieldRules = new Map([
  ['name', message('account.name.invalid')],
  ['email', message('account.email.invalid')],
]);

/** Runs a change, and returns the errors that the form shows. */
async function errorsOf(change: () => Promise<void>): Promise<FormError[]> {
  try {
    await change();
    return [];
  } catch (error) {
    if (error instanceof InvalidCredentialsError) {
      return [{ field: 'current', text: message('account.password.incorrect') }];
    }
    return error instanceof EmailTakenError
      ? [{ field: 'email', text: message('account.email.taken') }]
      : formErrorsOf(error, RULES);
  }
}
