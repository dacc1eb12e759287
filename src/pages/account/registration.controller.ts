import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { AccountsService } from '../../auth/accounts.service.js';
import { EmailTakenError } from '../../auth/auth.errors.js';
import type { User } from '../../auth/entities/user.entity.js';
import { Registration } from '../../auth/registration.js';
import { Sessions } from '../../auth/session/sessions.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { Public } from '../../common/http/public.js';
import { parseRequest, textOf } from '../../common/parse-request.js';
import { ThrottledBy, ThrottleGuard } from '../../throttling/throttle.guard.js';
import { CsrfGuard } from '../csrf.guard.js';
import { formErrorsOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo } from '../pages.js';
import type { FormError } from '../views.js';
import { destinationOf, onwardIn } from './onward.js';
import { RegistrationPage } from './registration-page.js';

/** Where a person creates an account, on the way to an application's request or to their account. */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class RegistrationController {
  constructor(
    private readonly page: RegistrationPage,
    private readonly accounts: AccountsService,
    private readonly sessions: Sessions,
  ) {}

  @Get('auth/register')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.page.show({ request, response, onward: onwardIn(request.query) });
  }

  @Post('auth/register')
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.RegisterPerAddress])
  async register(@Req() request: Request, @Res() response: Response): Promise<void> {
    const registered = await this.registered(request);
    const onward = onwardIn(request.body);
    if (Array.isArray(registered)) {
      await this.page.show({ request, response, onward, errors: registered, status: 400 });
      return;
    }
    const destination = destinationOf(onward, request);
    await this.sessions.begin(request, registered);
    goTo(response, destination);
  }

  /** The user, or what is wrong with the form. */
  private async registered({ body }: Request): Promise<User | FormError[]> {
    const [name, email, password] = ['name', 'email', 'password'].map((field) =>
      textOf(body, field),
    );
    try {
      return await this.accounts.register(parseRequest(Registration, { name, email, password }));
    } catch (error) {
      return error instanceof EmailTakenError
        ? [{ field: 'email', text: error.message }]
        : formErrorsOf(error);
    }
  }
}
