import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { InvalidCredentialsError } from '../auth.errors.js';
import { AuthenticationService } from '../authentication.service.js';
import type { User } from '../entities/user.entity.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import { ConfirmationWaysOfUsers } from './confirmation-ways.js';
import { originOf } from './device.js';
import { Sessions } from './sessions.js';

/** The values that a user has entered to prove the identity. */
interface TypedCredentials {
  readonly password: string;
  readonly otp: string;
}

/** Checks the credentials with which a logged-in user proves the identity again (docs/decisions/0128). */
@Injectable()
export class Confirmations {
  constructor(
    private readonly ways: ConfirmationWaysOfUsers,
    private readonly authentication: AuthenticationService,
    private readonly secondFactors: SecondFactors,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Requires the same credentials as a login: the password, and a code if the user has a second factor. Then continues
   * the session with a new id.
   * @throws InvalidCredentialsError if the password is wrong, or if the user has neither a password nor a second factor.
   * @throws OtpRequiredError or InvalidOtpError if the code is missing or wrong.
   */
  async confirm(request: Request, user: User, { password, otp }: TypedCredentials): Promise<void> {
    const { byPassword, byCode } = await this.ways.of(user);
    if (byPassword) {
      await this.requirePassword(request, user, password);
    }
    if (byCode) {
      await this.secondFactors.admit(user, otp);
    }
    if (!byPassword && !byCode) {
      throw new InvalidCredentialsError();
    }
    await this.sessions.confirm(request, user);
  }

  private async requirePassword(request: Request, user: User, password: string): Promise<void> {
    const origin = originOf(request);
    const found = await this.authentication.byPassword(user.email, password, origin);
    if (found?.id !== user.id) {
      throw new InvalidCredentialsError();
    }
  }
}
