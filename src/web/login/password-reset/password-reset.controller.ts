import { Get, NotFoundException, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { PasswordResets } from '../../../auth/links/password-resets.js';
import { IsAccountEmail } from '../../../auth/registration.js';
import { originOf } from '../../../auth/session/device.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { parseRequest } from '../../../pocket-api/parse-request.js';
import { ApplicationAccess } from '../../account/security/application-access.js';
import { type FieldRules, type FormError, formErrorsOf } from '../../forms.js';
import { messagePage } from '../../message-page.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { invalidLinkPage } from '../invalid-link.js';

class ForgotRequest {
  @IsAccountEmail()
  email!: string;
}

interface ForgotModel {
  readonly email: string;
  readonly errors: readonly FormError[];
}

interface ResetModel {
  readonly email: string;
  readonly token: string;
  readonly errors: readonly FormError[];
}

const RULES: FieldRules = new Map([['email', message('account.email.invalid')]]);

const forgotPage = new Template<ForgotModel>('login/password-reset/forgot');

const resetPage = new Template<ResetModel>('login/password-reset/reset', {
  hasSecretAddress: true,
});

/** The pages on which a user who has lost the password requests a link, and sets a new password with this link. */
@Page('auth', { for: 'everyone' })
@UseGuards(PasswordLoginGuard)
export class PasswordResetController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly access: ApplicationAccess,
  ) {}

  @Get('forgot')
  ask(): ShownPage {
    this.requireMail();
    return forgotPage.page({ email: '', errors: [] });
  }

  /**
   * Mails a reset link. The response and the response time do not show whether the email address belongs to an account.
   */
  @Post('forgot')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.MailPerAddress, AccountLimit.MailPerAccount])
  send(@Req() { body }: Request): ShownPage {
    this.requireMail();
    const email = textOf(body, 'email');
    try {
      this.resets.request(parseRequest(ForgotRequest, { email }).email);
    } catch (error) {
      return forgotPage.page({ email, errors: formErrorsOf(error, RULES) }, { status: 400 });
    }
    return messagePage.page({
      heading: message('passwordReset.sent.title'),
      text: message('passwordReset.sent.text'),
      action: { href: '/auth/login', label: message('passwordReset.backToLogin') },
    });
  }

  @Get('reset')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  choose(@Req() { query }: Request): Promise<ShownPage> {
    return this.showReset(textOf(query, 'token'));
  }

  /** Changes the password. Does not begin a session, because a session would bypass the second factor. */
  @Post('reset')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async reset(@Req() request: Request): Promise<ShownPage | Answer> {
    const token = textOf(request.body, 'token');
    const change = {
      password: textOf(request.body, 'password'),
      origin: originOf(request),
      endsAccess: textOf(request.body, 'revoke') === '1',
    };
    try {
      await this.resets.reset(token, change, this.access.endIn.bind(this.access));
    } catch (error) {
      return error instanceof ValidationFailedError
        ? this.showReset(token, formErrorsOf(error))
        : this.refuse(error);
    }
    return redirect('/auth/login?done=password');
  }

  private requireMail(): void {
    if (!this.resets.areMailed) {
      throw new NotFoundException();
    }
  }

  private async showReset(token: string, errors: readonly FormError[] = []): Promise<ShownPage> {
    try {
      const { email } = await this.resets.find(token);
      const status = errors.length === 0 ? 200 : 400;
      return resetPage.page({ email, token, errors }, { status });
    } catch (error) {
      return this.refuse(error);
    }
  }

  private refuse(error: unknown): ShownPage {
    const action = this.resets.areMailed
      ? { href: '/auth/forgot', label: message('passwordReset.askAgain') }
      : { href: '/auth/login', label: message('passwordReset.logIn') };
    return invalidLinkPage(error, action);
  }
}
