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
import { AuthorizationsService } from '../../oauth/authorizations.service.js';
import { ThrottledBy, ThrottleGuard } from '../../throttling/throttle.guard.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { formErrorsOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages } from '../pages.js';
import type { FormError } from '../views.js';
import { linkIn, onwardPath, pathWith } from './authorization-link.js';

/** Where a person creates an account, on the way to an application's request or to their account. */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class RegistrationController {
  constructor(
    private readonly pages: Pages,
    private readonly accounts: AccountsService,
    private readonly sessions: Sessions,
    private readonly authorizations: AuthorizationsService,
  ) {}

  @Get('auth/register')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.show(request, response, []);
  }

  @Post('auth/register')
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.RegisterPerAddress])
  async register(@Req() request: Request, @Res() response: Response): Promise<void> {
    const registered = await this.registered(request);
    if (Array.isArray(registered)) {
      await this.show(request, response, registered);
      return;
    }
    await this.sessions.begin(request, registered);
    goTo(response, onwardPath(linkIn(request.body)));
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

  private async show(
    request: Request,
    response: Response,
    errors: readonly FormError[],
  ): Promise<void> {
    const fields: unknown = request.method === 'POST' ? request.body : request.query;
    const link = linkIn(fields);
    const found = link && (await this.authorizations.find(link.requestToken));
    const model = {
      csrfToken: csrfTokenOf(request),
      link,
      applicationName: found?.application.name,
      name: textOf(fields, 'name'),
      email: textOf(fields, 'email'),
      errors,
      signInHref: pathWith('/auth/login', link),
    };
    this.pages.show(response, 'register', model, { status: errors.length > 0 ? 400 : 200 });
  }
}
