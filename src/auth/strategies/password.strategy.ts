import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-local';

import { textOf } from '../../platform/common/request-fields.js';
import { AuthenticationService } from '../authentication.service.js';
import type { User } from '../entities/user.entity.js';
import type { LoginRequest } from '../http/account.dto.js';
import { EmailVerifications } from '../links/email-verifications.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import { originOf } from '../session/device.js';

/** Authenticates POST /login by the email address, the password and the code of the second factor, all in the body. */
@Injectable()
export class PasswordStrategy extends PassportStrategy(Strategy, 'password') {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly verifications: EmailVerifications,
    private readonly secondFactors: SecondFactors,
  ) {
    super({
      usernameField: 'email',
      passwordField: 'password',
      session: false,
      passReqToCallback: true,
    });
  }

  /**
   * Reads credentials only from the body, although passport-local also accepts them in the query
   * string. Proxies log query strings, and the login limits only count email addresses in the body.
   */
  async validate(request: Request<unknown, unknown, LoginRequest>): Promise<User | false> {
    const { body } = request;
    const user = await this.authentication.byPassword(body.email, body.password, originOf(request));
    if (user === undefined) {
      return false;
    }
    this.verifications.require(user);
    await this.secondFactors.admit(user, textOf(body, 'otp'));
    return user;
  }
}
