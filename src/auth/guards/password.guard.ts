import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';

import { provenUser } from './proven-user.js';

/** Lets a call pass whose body has the email address and the password of an account. */
@Injectable()
export class PasswordGuard extends AuthGuard('password') {
  override handleRequest<T>(error: unknown, user: T | false | null): T {
    return provenUser(error, user);
  }
}
