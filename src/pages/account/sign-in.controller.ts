import { Controller, Get, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Sessions } from '../../auth/session/sessions.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { Public } from '../../common/http/public.js';
import { textOf } from '../../common/parse-request.js';
import { ThrottledBy, ThrottleGuard } from '../../throttling/throttle.guard.js';
import { CsrfGuard } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { forgetSiteData, goTo } from '../pages.js';
import { Visitors } from '../visitors.js';
import { keptFormIn } from './kept-form.js';
import { destinationOf, onwardIn, pathTo } from './onward.js';
import { ResendPage } from './resend-page.js';
import { SignInPage } from './sign-in-page.js';

const WRONG = 'The email address or the password is not right.';

/** Where a person logs in, on the way to an application's request, to a page, or to a form that came too late. */
@Public()
@UseFilters(PageErrorFilter)
@Controller()
export class SignInController {
  constructor(
    private readonly page: SignInPage,
    private readonly visitors: Visitors,
    private readonly sessions: Sessions,
    private readonly resend: ResendPage,
  ) {}

  @Get('auth/login')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const onward = onwardIn(request.query);
    if ((await this.visitors.find(request)) !== undefined) {
      goTo(response, destinationOf(onward, request));
      return;
    }
    await this.page.show({ request, response, onward });
  }

  /** Refused in the same words whatever is wrong (docs/decisions/0010). */
  @Post('auth/login')
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async logIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const onward = onwardIn(request.body);
    const kept = keptFormIn(request.body);
    // The login begins a session that knows nothing of the way here.
    const destination = destinationOf(onward, request);
    const user = await this.visitors.logIn(request);
    if (user === undefined) {
      const email = textOf(request.body, 'email');
      await this.page.show({ request, response, onward, kept, email, error: WRONG, status: 403 });
    } else if (kept === undefined) {
      goTo(response, destination);
    } else {
      this.resend.show({ request, response, user, kept });
    }
  }

  /** What the browser has stored for the user goes too; a form that was kept is for the next one. */
  @Post('auth/leave')
  @UseGuards(CsrfGuard)
  async leave(@Req() request: Request, @Res() response: Response): Promise<void> {
    const onward = onwardIn(request.body);
    const kept = keptFormIn(request.body);
    forgetSiteData(response);
    if (kept === undefined) {
      await this.sessions.leave(request, response);
      goTo(response, pathTo('/auth/login', onward));
      return;
    }
    await this.sessions.renew(request);
    await this.page.show({ request, response, onward, kept });
  }
}
