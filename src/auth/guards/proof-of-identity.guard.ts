import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { parseRequest } from '../../common/parse-request.js';
import { LoginRequest } from '../http/login.request.js';
import { PasswordGuard } from './password.guard.js';
import { SignedInGuard } from './signed-in.guard.js';

/**
 * Accepts one of the three proofs of POST /login. Credentials in the body are the proof the caller means:
 * a wrong password is refused, whatever cookie comes with it.
 */
@Injectable()
export class ProofOfIdentityGuard implements CanActivate {
  private readonly byPassword = new PasswordGuard();
  private readonly bySignIn = new SignedInGuard();

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<Request<unknown, unknown, object>>();
    if (!('email' in body) && !('password' in body)) {
      return Boolean(await this.bySignIn.canActivate(context));
    }
    parseRequest(LoginRequest, body);
    return Boolean(await this.byPassword.canActivate(context));
  }
}
