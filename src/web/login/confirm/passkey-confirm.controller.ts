import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { Passkeys } from '../../../auth/passkeys/passkeys.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { Page } from '../../page.js';
import type { ShownPage } from '../../template.js';
import { OpenWithoutSecondFactor } from '../../visitors.js';
import { goOnConfirmed, loginVisitIn } from '../login-visit.js';
import { passkeyRequest } from '../passkey/passkey-request.js';
import { confirmError, ConfirmPage } from './confirm-page.js';

/** Lets a logged-in user prove the identity again with a passkey (docs/decisions/0128). */
@Page('auth/confirm/passkey')
@OpenWithoutSecondFactor('missing', 'unproven')
export class PasskeyConfirmController {
  constructor(
    private readonly page: ConfirmPage,
    private readonly passkeys: Passkeys,
    private readonly sessions: Sessions,
  ) {}

  /** Redirects to the page if a person reloads it after a refused passkey. */
  @Get()
  startAgain(): Answer {
    return redirect('/auth/confirm');
  }

  @Post('options')
  @UseGuards(PasswordLoginGuard)
  options(@CurrentUser() user: User, @Req() request: Request): Promise<Answer> {
    return passkeyRequest(this.passkeys, request, { purpose: 'confirm', user });
  }

  @Post()
  @UseGuards(PasswordLoginGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async confirm(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    const visit = loginVisitIn(request.body);
    const passkey = await this.passkeys.use(request, { purpose: 'confirm', user });
    if (passkey === undefined) {
      const errors = [confirmError(message('passkeys.refused'))];
      return this.page.show(user, { ...visit, errors, status: 403 });
    }
    await this.sessions.confirm(request, user, passkey.name);
    return goOnConfirmed(user, visit);
  }
}
