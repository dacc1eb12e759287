import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-local';

import type { User } from '../entities/user.entity.js';
import { Identities } from '../identities.js';

/** Proof 1 of POST /login: the email address and the password in the body. */
@Injectable()
export class PasswordStrategy extends PassportStrategy(Strategy, 'password') {
  constructor(private readonly identities: Identities) {
    super({ usernameField: 'email', passwordField: 'password', session: false });
  }

  async validate(email: string, password: string): Promise<User | false> {
    return (await this.identities.byPassword(email, password)) ?? false;
  }
}
