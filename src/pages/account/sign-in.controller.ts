import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Sessions } from '../../auth/session/sessions.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { Public } from '../../common/http/public.js';
import { textOf } from '../../common/parse-request.js';
import { AuthorizationsService } from '../../oauth/authorizations.service.js';
import { ThrottledBy, ThrottleGuard } from '../../throttling/throttle.guard.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages } from '../pages.js';
import { Visitors } from '../visitors.js';
import { type AuthorizationLink, linkIn, onwardPath, pathWith } from './authorization-link.js';

/** Where a person logs in, on the way to an application's request or to their account. */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class SignInController {
  constructor(
    private readonly pages: Pages,
    private readonly visitors: Visitors,
    private readonly sessions: Sessions,
    private readonly authorizations: AuthorizationsService,
  ) {}

  @Get('auth/login')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const link = linkIn(request.query);
    if ((await this.visitors.find(request)) !== undefined) {
      goTo(response, onwardPath(link));
      return;
    }
    await this.show({ request, response, link });
  }

  /** Refused in the same words whatever is wrong (docs/decisions/0010). */
  @Post('auth/login')
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async logIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const link = linkIn(request.body);
    if (!(await this.visitors.logIn(request))) {
      await this.show({ request, response, link, refusedEmail: textOf(request.body, 'email') });
      return;
    }
    goTo(response, onwardPath(link));
  }

  @Post('auth/leave')
  @UseGuards(CsrfGuard)
  async leave(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.sessions.leave(request, response);
    goTo(response, pathWith('/auth/login', linkIn(request.body)));
  }

  private async show({ request, response, link, refusedEmail }: LoginPage): Promise<void> {
    const isRefused = refusedEmail !== undefined;
    const model = {
      csrfToken: csrfTokenOf(request),
      link,
      applicationName: await this.nameOf(link),
      email: refusedEmail ?? '',
      errors: isRefused ? [{ field: '', text: WRONG }] : [],
      registerHref: pathWith('/auth/register', link),
    };
    this.pages.show(response, 'sign-in', model, { status: isRefused ? 403 : 200 });
  }

  private async nameOf(link: AuthorizationLink | undefined): Promise<string | undefined> {
    return link && (await this.authorizations.find(link.requestToken))?.application.name;
  }
}

const WRONG = 'The email address or the password is not right.';

interface LoginPage {
  readonly request: Request;
  readonly response: Response;
  readonly link: AuthorizationLink | undefined;
  /** Of a login that was refused. */
  readonly refusedEmail?: string;
}
