import { Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { LoginAttempts } from '../../auth/login-attempts.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { type Answer, redirect } from '../../platform/http/answer.js';
import { ownAddress } from '../../platform/http/own-address.js';
import { type Message, message } from '../../platform/i18n/message.js';
import { hasCsrfToken } from '../csrf.guard.js';
import { Page } from '../page.js';
import { isShareQuery, openSavePage } from '../reader/save/share-links.js';
import { type ShownPage, Template } from '../template.js';
import { Visitors } from '../visitors.js';
import { wallabagAddress } from './new-client.js';

/** The HTTP status of redirects. wallabag's apps and similar programs expect this status. */
export const FOUND = 302;
const HOME = '/wallabag/';
const LOGIN = '/wallabag/login';

/** Redirects to the login page for wallabag's apps. */
export const TO_LOGIN = redirect(LOGIN, FOUND);

/** The messages about failed logins, keyed by the `why` parameter of the login page. */
const REFUSALS = {
  wrong: message('wallabag.login.refusals.wrong'),
  outdated: message('wallabag.login.refusals.outdated'),
  passwords: message('wallabag.login.refusals.passwords'),
  verification: message('wallabag.login.refusals.verification'),
  'second-factor': message('wallabag.login.refusals.secondFactor'),
} as const;

type Refusal = keyof typeof REFUSALS;

const isRefusal = (text: string): text is Refusal => Object.hasOwn(REFUSALS, text);

interface LoginModel {
  /** The message that explains why the login failed. Undefined if no login has failed. */
  readonly error: Message | undefined;
}

interface HomeModel {
  readonly email: string;
  /** The server address that a person enters in an app. */
  readonly address: string;
}

const loginPage = new Template<LoginModel>('wallabag/login');
const homePage = new Template<HomeModel>('wallabag/home');

/**
 * The login pages for wallabag's Android app, and for programs that fetch books from wallabag. Such programs expect the
 * paths and the markup of wallabag (docs/decisions/0070). The pages explain their purpose to people who open them in a
 * browser.
 */
@Page('wallabag', { for: 'everyone', hasCsrfGuard: false })
export class WallabagPagesController {
  constructor(
    private readonly visitors: Visitors,
    private readonly attempts: LoginAttempts,
    private readonly config: Config,
  ) {}

  @Get()
  async home(@Req() request: Request): Promise<ShownPage | Answer> {
    if (isShareQuery(request.query)) {
      return openSavePage(request.query);
    }
    const user = await this.visitors.find(request);
    if (user === undefined) {
      return TO_LOGIN;
    }
    const address = wallabagAddress(ownAddress(request, this.config.publicUrl));
    return homePage.page({ email: user.email, address });
  }

  @Get('login')
  async ask(@Req() request: Request): Promise<ShownPage | Answer> {
    if ((await this.visitors.find(request)) !== undefined) {
      return redirect(HOME, FOUND);
    }
    const why = textOf(request.query, 'why');
    return loginPage.page({ error: isRefusal(why) ? REFUSALS[why] : undefined });
  }

  /**
   * Logs a program in. Failed logins are limited together with the logins on the login page of the reader. Successful
   * logins are not limited, because some programs log in at each start.
   */
  @Post('login_check')
  async logIn(@Req() request: Request): Promise<Answer> {
    const refusal = await this.refusalOf(request);
    return redirect(refusal === undefined ? HOME : `${LOGIN}?why=${refusal}`, FOUND);
  }

  /**
   * Redirects to the account page, which has a form to log out. Opening a link must not log a user out, because other
   * sites can link to this path.
   */
  @Get('logout')
  leave(): Answer {
    return redirect('/account', FOUND);
  }

  @Get('favicon.ico')
  icon(): Answer {
    return redirect('/pages/icon-192.png', FOUND);
  }

  /**
   * Logs the user in and returns undefined. If the login fails, returns the reason.
   * @throws TooManyRequestsError if a login limit is exceeded
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
