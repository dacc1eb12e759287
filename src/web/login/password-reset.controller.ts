import {
  Controller,
  Get,
  NotFoundException,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import type { Request, Response } from 'express';

import { FeedsService } from '../../apis/feeds/feeds.service.js';
import { InvalidLinkError } from '../../auth/auth.errors.js';
import { PasswordLoginGuard } from '../../auth/http/auth.guards.js';
import { PasswordResets } from '../../auth/links/password-resets.js';
import { AuthorizationsService } from '../../auth/oauth/authorizations.service.js';
import { IsAccountEmail } from '../../auth/registration.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { ValidationFailedError } from '../../platform/common/common.errors.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { ThrottledBy, ThrottleGuard } from '../../platform/throttling/throttle.guard.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { formErrorsOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages } from '../pages.js';
import type { FormError } from '../views.js';

class ForgotRequest {
  @IsAccountEmail()
  email!: string;
}

/** The pages on which a user who has lost the password requests a link, and sets a new password with this link. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(PasswordLoginGuard)
@Controller('auth')
export class PasswordResetController {
  constructor(
    private readonly pages: Pages,
    private readonly resets: PasswordResets,
    private readonly authorizations: AuthorizationsService,
    private readonly feeds: FeedsService,
  ) {}

  @Get('forgot')
  ask(@Req() request: Request, @Res() response: Response): void {
    this.requireMail();
    this.showForgot(request, response);
  }

  /** Mails a reset link. The response and its time are the same for unknown addresses. */
  @Post('forgot')
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.MailPerAddress, AccountLimit.MailPerAccount])
  send(@Req() request: Request, @Res() response: Response): void {
    this.requireMail();
    try {
      const { email } = parseRequest(ForgotRequest, { email: textOf(request.body, 'email') });
      this.resets.request(email);
    } catch (error) {
      this.showForgot(request, response, formErrorsOf(error));
      return;
    }
    const heading = 'Look into your mail';
    const text =
      'If there is an account with this address, a mail with a link is on its way. It may take a minute to arrive; also look where unwanted mail goes.';
    const action = { href: '/auth/login', label: 'Back to the login' };
    this.pages.show(response, 'message', { heading, text, action });
  }

  @Get('reset')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async choose(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.showReset(request, response, textOf(request.query, 'token'));
  }

  /** Changes the password. Does not begin a session, because a session would bypass the second factor. */
  @Post('reset')
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async reset(@Req() request: Request, @Res() response: Response): Promise<void> {
    const token = textOf(request.body, 'token');
    try {
      await this.resets.reset(token, textOf(request.body, 'password'), async (manager, userId) => {
        await this.authorizations.revokeIn(manager, userId);
        await this.feeds.revoke(userId, manager);
      });
    } catch (error) {
      if (error instanceof ValidationFailedError) {
        await this.showReset(request, response, token, formErrorsOf(error));
        return;
      }
      this.refuse(response, error);
      return;
    }
    goTo(response, '/auth/login?done=password');
  }

  private requireMail(): void {
    if (!this.resets.areMailed) {
      throw new NotFoundException();
    }
  }

  private showForgot(
    request: Request,
    response: Response,
    errors: readonly FormError[] = [],
  ): void {
    const email = textOf(request.body, 'email');
    const model = { csrfToken: csrfTokenOf(request), email, errors };
    this.pages.show(response, 'forgot', model, { status: errors.length === 0 ? 200 : 400 });
  }

  private async showReset(
    request: Request,
    response: Response,
    token: string,
    errors: readonly FormError[] = [],
  ): Promise<void> {
    try {
      const { email } = await this.resets.find(token);
      const model = { csrfToken: csrfTokenOf(request), email, token, errors };
      const status = errors.length === 0 ? 200 : 400;
      this.pages.show(response, 'reset', model, { status, hasSecretAddress: true });
    } catch (error) {
      this.refuse(response, error);
    }
  }

  private refuse(response: Response, error: unknown): void {
    const again = this.resets.areMailed
      ? { href: '/auth/forgot', label: 'Ask for another link' }
      : { href: '/auth/login', label: 'Log in' };
    refuseLink(this.pages, response, { error, action: again });
  }
}

interface Refusal {
  readonly error: unknown;
  readonly action: { readonly href: string; readonly label: string };
}

/**
 * Shows the page of a link that no longer works.
 * @throws any error other than InvalidLinkError
 */
export function refuseLink(pages: Pages, response: Response, { error, action }: Refusal): void {
  if (!(error instanceof InvalidLinkError)) {
    throw error;
  }
  const model = { heading: 'This link does not work', text: error.message, action };
  pages.show(response, 'message', model, { status: 403, hasSecretAddress: true });
}
