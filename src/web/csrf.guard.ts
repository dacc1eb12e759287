import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { csrfSync } from 'csrf-sync';
import type { Request } from 'express';

import { objectIn, textOf } from '../platform/common/request-fields.js';
import { FormOutdatedError } from './pages.errors.js';

const TOKEN_BYTES = 32;

/**
 * Synchroniser tokens: one per session. The encrypted cookie contains it, and every form repeats it
 * (docs/decisions/0054).
 */
const csrf = csrfSync({
  size: TOKEN_BYTES,
  getTokenFromRequest: ({ body }) => textOf(body, '_csrf') || wallabagTokenIn(body),
  getTokenFromState: ({ session }) => session.csrfToken,
  storeTokenInState: ({ session }, token) => {
    session.csrfToken = token;
  },
});

/** wallabag's Android app and similar programs fill in wallabag's forms, in which the token has other names. */
const wallabagTokenIn = (body: unknown): string =>
  textOf(body, '_csrf_token') || textOf(objectIn(body, 'client'), '_token');

/** Returns the token for the forms of a page. Begins a session if there is none. */
export const csrfTokenOf = csrf.generateToken;

export const hasCsrfToken = csrf.isRequestValid;

/**
 * Accepts only forms with the token of their session.
 * @throws FormOutdatedError
 */
@Injectable()
export class CsrfGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!hasCsrfToken(context.switchToHttp().getRequest<Request>())) {
      throw new FormOutdatedError();
    }
    return true;
  }
}
