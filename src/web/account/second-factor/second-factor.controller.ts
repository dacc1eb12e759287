import { Get, Post, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';

import { InvalidCredentialsError } from '../../../auth/auth.errors.js';
import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../../auth/http/auth.guards.js';
import { newSecret, secretUri } from '../../../auth/second-factor/one-time-codes.js';
import { SecondFactorRequirement } from '../../../auth/second-factor/second-factor-requirement.js';
import { SecondFactorSettings } from '../../../auth/second-factor/second-factor-settings.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { AccountLimit } from '../../../auth/throttle-limits.js';
import { fieldProblem, ValidationFailedError } from '../../../platform/common/common.errors.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { message } from '../../../platform/i18n/message.js';
import { ThrottledBy, ThrottleGuard } from '../../../platform/throttling/throttle.guard.js';
import { codeErrorOf, type FormError, formErrorsOf } from '../../forms.js';
import { destinationOf, type Onward, onwardIn, pathTo } from '../../login/onward.js';
import { Page } from '../../page.js';
import { type ShownPage, Template } from '../../template.js';
import { OpenWithoutSecondFactor } from '../../visitors.js';
import { type QrPicture, qrPictureOf } from '../qr-picture.js';
import type { SecondFactorCard } from './second-factor-card.js';

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
  /** The page to open after the second factor is turned on. */
  readonly next: string | undefined;
  /** The page to return to, if the user must set up a second factor first. */
  readonly requiredHref: string | undefined;
}

const secondFactorPage = new Template<SecondFactorModel>('account/second-factor/second-factor', {
  kind: 'reader',
});

/** The page with new recovery codes. No other page can show the codes again. */
const recoveryCodesPage = new Template<{
  readonly codes: readonly string[];
  readonly doneHref: string;
}>('account/second-factor/recovery-codes', { kind: 'reader' });

const SECURITY_PATH = '/account/security';

/** The page on which a user turns the second factor on or off, or creates new recovery codes. */
@Page('account/second-factor')
@OpenWithoutSecondFactor('missing')
@UseGuards(PasswordLoginGuard)
export class SecondFactorController {
  constructor(
    private readonly settings: SecondFactorSettings,
    private readonly requirement: SecondFactorRequirement,
    private readonly sessions: Sessions,
  ) {}

  @Get()
  show(@CurrentUser() user: User, @Req() request: Request): Promise<ShownPage> {
    return this.showState(user, request, { onward: onwardIn(request.query) });
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
      return this.showState(user, request, {
        onward: onwardIn(request.body),
        errors: formErrorsIn(error),
      });
    }
  }

  private async showState(
    user: User,
    request: Request,
    { onward, errors = [] }: { onward: Onward; errors?: readonly FormError[] },
  ): Promise<ShownPage> {
    const card = await this.settings.stateOf(user);
    const setUp = card === undefined ? setUpOf(user, request) : undefined;
    const status = errors.length > 0 ? 400 : 200;
    const isRequired = (await this.requirement.stateOf(request, user)) === 'missing';
    const { next } = onward;
    const requiredHref = isRequired ? pathTo('/auth/second-factor', onward) : undefined;
    const model = { email: user.email, card, setUp, errors, next, requiredHref };
    return secondFactorPage.page(model, { status });
  }

  private async apply(user: User, request: Request): Promise<ShownPage | Answer> {
    const otp = textOf(request.body, 'otp');
    const consent = { password: textOf(request.body, 'current'), otp };
    const change = textOf(request.body, 'change');
    if (change === 'on') {
      return this.turnOn(user, request, consent);
    }
    if (change === 'codes') {
      const codes = await this.settings.renewRecoveryCodes(user, consent);
      return recoveryCodesPage.page({ codes, doneHref: SECURITY_PATH });
    }
    if (change === 'off') {
      await this.settings.turnOff(user, consent);
      return redirect(`${SECURITY_PATH}?done=second-factor-off`);
    }
    throw new ValidationFailedError([
      fieldProblem('change', 'must be one of those that the page offers'),
    ]);
  }

  /** Turns the second factor on, unless it is already on. The session then counts as a login with a second factor. */
  private async turnOn(
    user: User,
    request: Request,
    consent: { readonly password: string; readonly otp: string },
  ): Promise<ShownPage> {
    const { session } = request;
    const codes = await this.settings.turnOn(request, user, consent);
    delete session.newFactorSecret;
    if (codes !== undefined) {
      await this.sessions.noteSecondFactor(request);
    }
    const onward = onwardIn(request.body);
    const doneHref = onward.next === undefined ? SECURITY_PATH : destinationOf(onward);
    return recoveryCodesPage.page({ codes: codes ?? [], doneHref });
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

function formErrorsIn(error: unknown): FormError[] {
  if (error instanceof ValidationFailedError) {
    return formErrorsOf(error);
  }
  return error instanceof InvalidCredentialsError
    ? [{ field: 'current', text: message('secondFactor.wrongPassword') }]
    : [{ field: 'otp', text: codeErrorOf(error) }];
}
