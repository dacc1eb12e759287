import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { EmailVerifications } from '../../../auth/links/email-verifications.js';
import { originOf } from '../../../auth/session/device.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { invalidLinkPage } from '../invalid-link.js';

interface Unverified {
  readonly email: string;
  readonly isSentAgain?: boolean;
  readonly status?: number;
}

const unverifiedEmailPage = new Template<{
  readonly email: string;
  readonly isSentAgain: boolean;
}>('login/email-verification/unverified-email');

const verifyEmailPage = new Template<{ readonly email: string; readonly token: string }>(
  'login/email-verification/verify-email',
  { hasSecretAddress: true },
);

/** Returns the page that asks a user to open the link in the verification mail. */
export const askToVerify = ({ email, isSentAgain = false, status = 200 }: Unverified): ShownPage =>
  unverifiedEmailPage.page({ email, isSentAgain }, { status });

/**
 * The page that the link in a verification mail opens. Only the form on this page verifies the address, because malware
 * scanners also open the links in mails.
 */
@Page('auth/verify', { for: 'everyone' })
export class EmailVerificationController {
  constructor(private readonly verifications: EmailVerifications) {}

  @Get()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async ask(@Req() { query }: Request): Promise<ShownPage> {
    const token = textOf(query, 'token');
    try {
      const { email } = await this.verifications.find(token);
      return verifyEmailPage.page({ email, token });
    } catch (error) {
      return refuse(error);
    }
  }

  @Post()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async verify(@Req() request: Request): Promise<ShownPage | Answer> {
    try {
      await this.verifications.verify(textOf(request.body, 'token'), originOf(request));
    } catch (error) {
      return refuse(error);
    }
    return redirect('/auth/login?done=verified');
  }

  /**
   * Mails the verification link again. The response and the response time do not show whether the email address belongs
   * to an account.
   */
  @Post('again')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.MailPerAddress, AccountLimit.MailPerAccount])
  sendAgain(@Req() request: Request): ShownPage {
    const email = textOf(request.body, 'email');
    this.verifications.request(email);
    return askToVerify({ email, isSentAgain: true });
  }
}

const refuse = (error: unknown): ShownPage =>
  invalidLinkPage(error, { href: '/auth/login', label: message('emailVerification.logIn') });
