import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { csrfSync } from 'csrf-sync';
import type { Request } from 'express';

import { objectIn, textOf } from '../platform/common/request-fields.js';
import { maskToken, unmaskToken } from './masked-token.js';
import { FormOutdatedError } from './pages.errors.js';

const TOKEN_BYTES = 32;

/**
 * The CSRF protection by synchroniser tokens. Each session has one token, which is stored in the encrypted cookie and
 * sent with every form (docs/decisions/0054).
 */
const csrf = csrfSync({
  size: TOKEN_BYTES,
  getTokenFromRequest: ({ body }) => unmaskToken(textOf(body, '_csrf') || wallabagTokenIn(body)),
  getTokenFromState: ({ session }) => session.csrfToken,
  storeTokenInState: ({ session }, token) => {
    session.csrfToken = token;
  },
});

/**
 * Returns the CSRF token of a form on the pages for wallabag's apps. These forms use the field names of wallabag,
 * because wallabag's apps do not know the field `_csrf`.
 */
const wallabagTokenIn = (body: unknown): string =>
  textOf(body, '_csrf_token') || textOf(objectIn(body, 'client'), '_token');

/**
 * Returns the CSRF token for the forms of a page, masked anew for each call. Begins a session if the request has no
 * session.
 */
export const csrfTokenOf = (request: Request): string => maskToken(csrf.generateToken(request));

export const hasCsrfToken = csrf.isRequestValid;

/** The HTTP methods of requests that change nothing and therefore need no CSRF token (RFC 9110 section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Accepts a form only if it contains the CSRF token of the session. Accepts every GET and HEAD request.
 * @throws FormOutdatedError if the token is missing or wrong
 */
@Injectable()
export class CsrfGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (!SAFE_METHODS.has(request.method) && !hasCsrfToken(request)) {
      throw new FormOutdatedError();
    }
    return true;
  }
}
