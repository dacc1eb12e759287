import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { Passkeys } from '../../../auth/passkeys/passkeys.js';
import { SecondFactors } from '../../../auth/second-factor/second-factors.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { Clock } from '../../../platform/common/clock.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { codeErrorOf, formError } from '../../forms.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { goOn, loginVisitIn } from '../login-visit.js';
import { passkeyRequest } from '../passkey/passkey-request.js';
import { PendingLoginGuard } from '../pending-logins.js';
import { codeError, CodePage } from './code-page.js';

/** Completes a login with the second factor, after the password. */
@Page('auth/login/code', { for: 'everyone' })
export class CodeController {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly page: CodePage,
    private readonly secondFactors: SecondFactors,
    private readonly passkeys: Passkeys,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /**
   * Redirects to the login page if a person opens the address of the code form again, for example by reloading the page
   * with the error for a wrong code.
   */
  @Get(['', 'passkey'])
  startAgain(): Answer {
    return redirect('/auth/login');
  }

  /**
   * Completes a login with the code of the second factor. Attempts are limited like attempts to enter a password
   * (docs/decisions/0063).
   */
  @Post()
  @UseGuards(PasswordLoginGuard, PendingLoginGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async enterCode(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const visit = loginVisitIn(request.body);
    try {
      await this.secondFactors.admit(user, textOf(request.body, 'otp'));
    } catch (error) {
      return this.page.show(user, visit, codeError(codeErrorOf(error)));
    }
    await this.sessions.begin(request, user);
    return goOn(user, visit);
  }

  @Post('passkey/options')
  @UseGuards(PasswordLoginGuard, PendingLoginGuard)
  passkeyOptions(@CurrentUser() user: User, @Req() request: Request): Promise<Answer> {
    return passkeyRequest(this.passkeys, request, { purpose: 'code', user });
  }

  /** Completes a login with a passkey instead of a code. The limits are those of codes. */
  @Post('passkey')
  @UseGuards(PasswordLoginGuard, PendingLoginGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async usePasskey(
    @CurrentUser() user: User,
    @Req() request: Request,
  ): Promise<ShownPage | Answer> {
    const visit = loginVisitIn(request.body);
    const passkey = await this.passkeys.use(request, { purpose: 'code', user });
    if (passkey === undefined) {
      return this.page.show(user, visit, formError(message('passkeys.refused')));
    }
    await this.secondFactors.giveAttemptsBack(user);
    const { name } = passkey;
    await this.sessions.begin(request, user, { provenAt: this.clock.now(), passkey: name });
    return goOn(user, visit);
  }
}
