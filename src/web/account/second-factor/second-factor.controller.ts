import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { InvalidCredentialsError } from '../../../auth/auth.errors.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { newSecret, secretUri } from '../../../auth/second-factor/one-time-codes.js';
import { SecondFactorSettings } from '../../../auth/second-factor/second-factor-settings.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { codeErrorOf, type FormError } from '../../forms.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { type QrPicture, qrPictureOf } from '../qr-picture.js';
import type { SecondFactorCard } from './second-factor-card.js';

declare module 'express-session' {
  interface SessionData {
    /** The secret of a second factor that the user is setting up. The user has not turned the second factor on yet. */
    newFactorSecret?: string;
  }
}

/** The data with which an authenticator app is set up. */
interface SetUp {
  readonly secret: string;
  readonly picture: QrPicture;
}

interface SecondFactorModel {
  readonly email: string;
  /** The state of the second factor. Undefined if the second factor is off. */
  readonly card: SecondFactorCard | undefined;
  /** The data to set up an authenticator app. Undefined if the second factor is on. */
  readonly setUp: SetUp | undefined;
  readonly errors: readonly FormError[];
}

const secondFactorPage = new Template<SecondFactorModel>('account/second-factor/second-factor', {
  kind: 'reader',
});

/** The page with new recovery codes. No other page can show the codes again. */
const recoveryCodesPage = new Template<{ readonly codes: readonly string[] }>(
  'account/second-factor/recovery-codes',
  { kind: 'reader' },
);

/** The page on which a user turns the second factor on or off, or creates new recovery codes. */
@Page('account/second-factor')
@UseGuards(PasswordLoginGuard)
export class SecondFactorController {
  constructor(private readonly settings: SecondFactorSettings) {}

  @Get()
  show(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    return this.showState(user, request);
  }

  /**
   * Turns the second factor on or off, or creates new recovery codes. Failed attempts are limited like failed logins
   * (docs/decisions/0063).
   */
  @Post()
  @UseGuards(ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async change(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage | Answer> {
    try {
      return await this.apply(user, request);
    } catch (error) {
      return this.showState(user, request, [formErrorOf(error)]);
    }
  }

  private async showState(
    user: User,
    request: Request,
    errors: readonly FormError[] = [],
  ): Promise<ShownPage> {
    const card = await this.settings.stateOf(user);
    const setUp = card === undefined ? setUpOf(user, request) : undefined;
    const status = errors.length > 0 ? 400 : 200;
    return secondFactorPage.page({ email: user.email, card, setUp, errors }, { status });
  }

  private async apply(user: User, { body, session }: Request): Promise<ShownPage | Answer> {
    const consent = { password: textOf(body, 'current'), otp: textOf(body, 'otp') };
    const change = textOf(body, 'change');
    if (change === 'on') {
      const codes = await this.settings.turnOn(user, session.newFactorSecret, consent);
      delete session.newFactorSecret;
      return recoveryCodesPage.page({ codes: codes ?? [] });
    }
    if (change === 'codes') {
      const codes = await this.settings.renewRecoveryCodes(user, consent);
      return recoveryCodesPage.page({ codes });
    }
    if (change === 'off') {
      await this.settings.turnOff(user, consent);
      return redirect('/account/security?done=second-factor-off');
    }
    throw new ValidationFailedError([
      fieldProblem('change', 'must be one of those that the page offers'),
    ]);
  }
}

/**
 * Stores the secret in the session. Otherwise, a user who mistypes the code would get a new secret, and would have to
 * scan the QR code again.
 */
function setUpOf({ email }: User, { session }: Request): SetUp {
  session.newFactorSecret ??= newSecret();
  const secret = session.newFactorSecret;
  return {
    secret: secret.replaceAll(/(.{4})(?=.)/g, '$1 '),
    picture: qrPictureOf(secretUri(secret, email)),
  };
}

const formErrorOf = (error: unknown): FormError =>
  error instanceof InvalidCredentialsError
    ? { field: 'current', text: message('secondFactor.wrongPassword') }
    : { field: 'otp', text: codeErrorOf(error) };
