import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { hasCsrfToken } from '../csrf.js';
import { FormOutdatedError } from '../pages.errors.js';

/** Lets a form pass that has the token of the session it is sent in. */
@Injectable()
export class CsrfGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!hasCsrfToken(context.switchToHttp().getRequest<Request>())) {
      throw new FormOutdatedError();
    }
    return true;
  }
}
