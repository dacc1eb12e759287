import { Controller, Get, Injectable, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { EmailVerifications } from '../../auth/links/email-verifications.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { ThrottledBy, ThrottleGuard } from '../../platform/throttling/throttle.guard.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages } from '../pages.js';
import { refuseLink } from './password-reset.controller.js';

interface Unverified {
  readonly email: string;
  readonly isSentAgain?: boolean;
  readonly status?: number;
}

/** The page that asks a user to open the link in the verification mail. */
@Injectable()
export class EmailVerificationPage {
  constructor(private readonly pages: Pages) {}

  show(request: Request, response: Response, unverified: Unverified): void {
    const { email, isSentAgain = false, status = 200 } = unverified;
    const model = { csrfToken: csrfTokenOf(request), email, isSentAgain };
    this.pages.show(response, 'unverified-email', model, { status });
  }
}

/**
 * The page that the link in a verification mail opens. Only the form on this page verifies the address, because malware
 * scanners also open the links in mails.
 */
@Public()
@UseFilters(PageErrorFilter)
@Controller('auth/verify')
export class EmailVerificationController {
  constructor(
    private readonly pages: Pages,
    private readonly page: EmailVerificationPage,
    private readonly verifications: EmailVerifications,
  ) {}

  @Get()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const token = textOf(request.query, 'token');
    try {
      const { email } = await this.verifications.find(token);
      const model = { csrfToken: csrfTokenOf(request), email, token };
      this.pages.show(response, 'verify-email', model, { hasSecretAddress: true });
    } catch (error) {
      this.refuse(response, error);
    }
  }

  @Post()
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async verify(@Req() request: Request, @Res() response: Response): Promise<void> {
    try {
      await this.verifications.verify(textOf(request.body, 'token'));
    } catch (error) {
      this.refuse(response, error);
      return;
    }
    goTo(response, '/auth/login?done=verified');
  }

  /** Mails the link again. The response and its time are the same for unknown addresses. */
  @Post('again')
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.MailPerAddress, AccountLimit.MailPerAccount])
  sendAgain(@Req() request: Request, @Res() response: Response): void {
    const email = textOf(request.body, 'email');
    this.verifications.request(email);
    this.page.show(request, response, { email, isSentAgain: true });
  }

  private refuse(response: Response, error: unknown): void {
    refuseLink(this.pages, response, { error, action: { href: '/auth/login', label: 'Log in' } });
  }
}
