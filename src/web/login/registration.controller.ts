import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { EmailTakenError } from '../../auth/auth.errors.js';
import type { User } from '../../auth/entities/user.entity.js';
import { PasswordLoginGuard } from '../../auth/http/auth.guards.js';
import { EmailVerifications } from '../../auth/links/email-verifications.js';
import { Registration } from '../../auth/registration.js';
import { RegistrationService } from '../../auth/registration.service.js';
import { Sessions } from '../../auth/session/sessions.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { ThrottledBy, ThrottleGuard } from '../../platform/throttling/throttle.guard.js';
import { parseRequest } from '../../pocket-api/parse-request.js';
import { CsrfGuard } from '../csrf.guard.js';
import { formErrorsOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo } from '../pages.js';
import type { FormError } from '../views.js';
import { Visitors } from '../visitors.js';
import { EmailVerificationPage } from './email-verification.controller.js';
import { destinationOf, onwardIn } from './onward.js';
import { isRefusal, RegistrationPage } from './registration-page.js';

/**
 * The page on which a person creates an account. Afterwards, the browser is redirected to the request of an application
 * or to another page.
 */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class RegistrationController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly page: RegistrationPage,
    private readonly registrations: RegistrationService,
    private readonly sessions: Sessions,
    private readonly verifications: EmailVerifications,
    private readonly verification: EmailVerificationPage,
    private readonly visitors: Visitors,
  ) {}

  @Get('auth/register')
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LinkPerAddress])
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const onward = onwardIn(request.query);
    if (await this.visitors.isNamed(request)) {
      goTo(response, destinationOf(onward));
    } else {
      await this.page.show({ request, response, onward });
    }
  }

  @Post('auth/register')
  @UseGuards(PasswordLoginGuard, CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.RegisterPerAddress])
  async register(@Req() request: Request, @Res() response: Response): Promise<void> {
    const registered = await this.registered(request);
    const onward = onwardIn(request.body);
    if (Array.isArray(registered)) {
      await this.page.show({ request, response, onward, errors: registered, status: 400 });
      return;
    }
    if (this.verifications.isDue(registered)) {
      this.verification.show(request, response, { email: registered.email });
      return;
    }
    await this.sessions.begin(request, registered);
    goTo(response, destinationOf(onward));
  }

  /** Creates and returns the user, or returns the errors of the form. */
  private async registered({ body }: Request): Promise<User | FormError[]> {
    const fields = ['name', 'email', 'password', 'invitation'];
    const typed = Object.fromEntries(fields.map((field) => [field, textOf(body, field)]));
    try {
      return await this.registrations.register(parseRequest(Registration, typed));
    } catch (error) {
      return error instanceof EmailTakenError || isRefusal(error)
        ? [{ field: 'email', text: error.message }]
        : formErrorsOf(error);
    }
  }
}
