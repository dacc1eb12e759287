import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';

import { LoginAttempts } from '../../auth/login-attempts.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/public.js';
import { csrfTokenOf, hasCsrfToken } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages } from '../pages.js';
import { isShareQuery, openSavePage } from '../reader/save/share-links.js';
import { Visitors } from '../visitors.js';
import { wallabagAddress } from './new-client.js';

/** The status of redirects. wallabag's apps and similar programs expect this status. */
export const FOUND = 302;
const HOME = '/wallabag/';
export const LOGIN = '/wallabag/login';

const ON_THE_SITE = 'Log in on the pages of this site, and make a client under “Personal keys”.';

/** The messages about failed logins, keyed by the `why` parameter of the login page. */
const REFUSALS = {
  wrong: 'The email address or the password is not right.',
  outdated: 'The form was out of date: log in here again.',
  passwords: `Passwords are not used here. ${ON_THE_SITE}`,
  verification: 'The email address is not confirmed yet: open the link that was sent to it.',
  'second-factor': `The account has a second factor, which wallabag’s apps do not know. ${ON_THE_SITE}`,
} as const;

type Refusal = keyof typeof REFUSALS;

const isRefusal = (text: string): text is Refusal => Object.hasOwn(REFUSALS, text);

/**
 * The login pages for wallabag's Android app, and for programs that fetch books from wallabag. Such programs expect the
 * paths and the markup of wallabag (docs/decisions/0070). To people, the pages explain the purpose of the address.
 */
@Public()
@UseFilters(PageErrorFilter)
@Controller('wallabag')
export class WallabagPagesController {
  constructor(
    private readonly pages: Pages,
    private readonly visitors: Visitors,
    private readonly attempts: LoginAttempts,
    private readonly config: Config,
  ) {}

  @Get()
  async home(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (isShareQuery(request.query)) {
      openSavePage(response, request.query);
      return;
    }
    const user = await this.visitors.find(request);
    if (user === undefined) {
      goTo(response, LOGIN, FOUND);
      return;
    }
    const address = wallabagAddress(request, this.config.publicUrl);
    this.pages.show(response, 'wallabag/home', { email: user.email, address });
  }

  @Get('login')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    if ((await this.visitors.find(request)) !== undefined) {
      goTo(response, HOME, FOUND);
      return;
    }
    const why = textOf(request.query, 'why');
    const error = isRefusal(why) ? REFUSALS[why] : undefined;
    this.pages.show(response, 'wallabag/login', { csrfToken: csrfTokenOf(request), error });
  }

  /**
   * Logs a program in. Failed logins count for the login limits of the site. Successful logins do not count, because
   * programs log in for each run.
   */
  @Post('login_check')
  async logIn(@Req() request: Request, @Res() response: Response): Promise<void> {
    const refusal = await this.refusalOf(request);
    goTo(response, refusal === undefined ? HOME : `${LOGIN}?why=${refusal}`, FOUND);
  }

  /**
   * Redirects to the account page, which has a form to log out. Opening a link must not log a user out, because other
   * sites can link to this path.
   */
  @Get('logout')
  leave(@Res() response: Response): void {
    goTo(response, '/account', FOUND);
  }

  @Get('favicon.ico')
  icon(@Res() response: Response): void {
    goTo(response, '/pages/icon-192.png', FOUND);
  }

  /**
   * Logs the user in and returns undefined. If the login fails, returns the reason.
   * @throws TooManyRequestsError if a limit is exceeded
   */
  private async refusalOf(request: Request): Promise<Refusal | undefined> {
    const body: unknown = request.body;
    if (!hasCsrfToken(request)) {
      return 'outdated';
    }
    if (!this.config.passwordLogin) {
      return 'passwords';
    }
    const typed = { email: textOf(body, '_username'), password: textOf(body, '_password') };
    return this.attempts.run(
      { request, email: typed.email },
      async () => {
        const login = await this.visitors.logIn(request, typed);
        return login === undefined ? 'wrong' : login.due && STEPS[login.due];
      },
      (refusal) => refusal === undefined,
    );
  }
}

const STEPS = { code: 'second-factor', verification: 'verification' } as const;
