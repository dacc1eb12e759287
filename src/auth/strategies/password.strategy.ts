import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy } from 'passport-local';

import { AuthenticationService } from '../authentication.service.js';
import type { User } from '../entities/user.entity.js';
import type { LoginRequest } from '../http/account.dto.js';

/** Credential 1 of POST /login: the email address and the password in the body. */
@Injectable()
export class PasswordStrategy extends PassportStrategy(Strategy, 'password') {
  constructor(private readonly authentication: AuthenticationService) {
    super({
      usernameField: 'email',
      passwordField: 'password',
      session: false,
      passReqToCallback: true,
    });
  }

  /** passport-local looks into the query too, where no limit counts and proxies keep logs: only the body counts. */
  async validate({ body }: Request<unknown, unknown, LoginRequest>): Promise<User | false> {
    return (await this.authentication.byPassword(body.email, body.password)) ?? false;
  }
}
