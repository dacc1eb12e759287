import { Controller, Get, Injectable, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { InvalidCredentialsError } from '../../auth/auth.errors.js';
import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser, PasswordLoginGuard } from '../../auth/http/auth.guards.js';
import { newSecret, secretUri } from '../../auth/second-factor/one-time-codes.js';
import { SecondFactorSettings } from '../../auth/second-factor/second-factor-settings.js';
import { AccountLimit } from '../../auth/throttle-limits.js';
import { fieldProblem, ValidationFailedError } from '../../platform/common/common.errors.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { ThrottledBy, ThrottleGuard } from '../../platform/throttling/throttle.guard.js';
import { CsrfGuard, csrfTokenOf } from '../csrf.guard.js';
import { codeErrorOf } from '../forms.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo, Pages, READER_POLICY } from '../pages.js';
import type { FormError } from '../views.js';
import { VisitorGuard } from '../visitors.js';
import { qrPictureOf } from './qr-picture.js';
import { AccountSecurity } from './sessions-page.controller.js';

declare module 'express-session' {
  interface SessionData {
    /** The secret that the page shows before the second factor is turned on. */
    newFactorSecret?: string;
  }
}

interface Visit {
  readonly user: User;
  readonly request: Request;
  readonly response: Response;
}

/** Shows the page of the second factor. After a rejected form, the page also shows the errors of the form. */
@Injectable()
export class SecondFactorPage {
  constructor(
    private readonly pages: Pages,
    private readonly security: AccountSecurity,
  ) {}

  async show({ user, request, response }: Visit, errors: readonly FormError[] = []): Promise<void> {
    const { secondFactor: card } = await this.security.cardsOf(user, request);
    const model = {
      csrfToken: csrfTokenOf(request),
      email: user.email,
      card,
      setUp: card === undefined ? setUpOf(user, request) : undefined,
      errors,
    };
    const status = errors.length > 0 ? 400 : 200;
    this.pages.show(response, 'second-factor', model, { status, policy: READER_POLICY });
  }

  /** Shows new recovery codes. No other page can show the codes again. */
  showCodes(response: Response, codes: readonly string[]): void {
    this.pages.show(response, 'recovery-codes', { codes }, { policy: READER_POLICY });
  }
}

/**
 * Returns the data for setting up an authenticator app. The session keeps the secret, because a mistyped code must not
 * require a second scan.
 */
function setUpOf({ email }: User, { session }: Request) {
  session.newFactorSecret ??= newSecret();
  const secret = session.newFactorSecret;
  return {
    secret: secret.replaceAll(/(.{4})(?=.)/g, '$1 '),
    picture: qrPictureOf(secretUri(secret, email)),
  };
}

/** Turns the second factor on and off, and renews the recovery codes. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(PasswordLoginGuard, VisitorGuard)
@Controller('account/second-factor')
export class SecondFactorController {
  constructor(
    private readonly page: SecondFactorPage,
    private readonly settings: SecondFactorSettings,
  ) {}

  @Get()
  async show(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.page.show({ user, request, response });
  }

  /** Turns the second factor on. Failed attempts count as failed logins (docs/decisions/0063). */
  @Post()
  @UseGuards(CsrfGuard, ThrottleGuard)
  @ThrottledBy([AccountLimit.LoginPerAddress, AccountLimit.LoginPerAccount])
  async change(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const visit = { user, request, response };
    try {
      await this.make(visit, textOf(request.body, 'change'));
    } catch (error) {
      await this.page.show(visit, [formErrorOf(error)]);
    }
  }

  private async make({ user, request, response }: Visit, change: string): Promise<void> {
    const { session } = request;
    const [password = '', otp = ''] = ['current', 'otp'].map((name) => textOf(request.body, name));
    const consent = { password, otp };
    if (change === 'on') {
      const codes = await this.settings.turnOn(user, session.newFactorSecret, consent);
      delete session.newFactorSecret;
      this.page.showCodes(response, codes ?? []);
    } else if (change === 'codes') {
      this.page.showCodes(response, await this.settings.renewRecoveryCodes(user, consent));
    } else if (change === 'off') {
      await this.settings.turnOff(user, consent);
      goTo(response, '/account?done=second-factor-off');
    } else {
      throw new ValidationFailedError([
        fieldProblem('change', 'must be one of those that the page offers'),
      ]);
    }
  }
}

function formErrorOf(error: unknown): FormError {
  return error instanceof InvalidCredentialsError
    ? { field: 'current', text: 'The password is not right.' }
    : { field: 'otp', text: codeErrorOf(error) };
}
