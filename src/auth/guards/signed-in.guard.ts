import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';

import { provenUser } from './proven-user.js';

/** Lets a call pass that proves a login: by an access token or by the session cookie. */
@Injectable()
export class SignedInGuard extends AuthGuard(['bearer', 'session']) {
  override handleRequest<T>(error: unknown, user: T | false | null): T {
    return provenUser(error, user);
  }
}
