import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { EmailVerifications } from '../../../auth/links/email-verifications.js';
import { Passkeys } from '../../../auth/passkeys/passkeys.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { Clock } from '../../../platform/common/clock.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { askToVerify } from '../email-verification/email-verification.controller.js';
import { goOn, loginVisitIn } from '../login-visit.js';
import { SignInPage } from '../sign-in/sign-in-page.js';
import { passkeyRequest } from './passkey-request.js';

/** Logs people in with a passkey alone. It counts as password and second factor (docs/decisions/0132). */
@Page('auth/login/passkey', { for: 'everyone' })
export class PasskeyLoginController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly page: SignInPage,
    private readonly passkeys: Passkeys,
    private readonly verifications: EmailVerifications,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** Redirects to the login page if a person reloads the page with the error for a refused passkey. */
  @Get()
  startAgain(): Answer {
    return redirect('/auth/login');
  }

  @Post('options')
  @UseGuards(PasswordLoginGuard)
  options(@Req() request: Request): Promise<Answer> {
    return passkeyRequest(this.passkeys, request, { purpose: 'login' });
  }

  /** All refused passkeys get the same error. */
  @Post()
  @UseGuards(PasswordLoginGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress])
  async logIn(@Req() request: Request): Promise<ShownPage | Answer> {
    const visit = loginVisitIn(request.body);
    const passkey = await this.passkeys.use(request, { purpose: 'login' });
    if (passkey === undefined) {
      return this.page.show({ ...visit, error: message('passkeys.refused'), status: 403 });
    }
    const { user, name } = passkey;
    if (this.verifications.isDue(user)) {
      return askToVerify({ email: user.email, status: 403 });
    }
    await this.sessions.begin(request, user, { provenAt: this.clock.now(), passkey: name });
    return goOn(user, visit);
  }
}
