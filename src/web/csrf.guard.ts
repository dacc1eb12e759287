import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { csrfSync } from 'csrf-sync';
import type { Request } from 'express';

import { objectIn, textOf } from '../platform/common/request-fields.js';
import { FormOutdatedError } from './pages.errors.js';

const TOKEN_BYTES = 32;

/** Synchroniser tokens: one a session, kept in the encrypted cookie, repeated by every form (docs/decisions/0054). */
const csrf = csrfSync({
  size: TOKEN_BYTES,
  getTokenFromRequest: ({ body }) => textOf(body, '_csrf') || wallabagTokenIn(body),
  getTokenFromState: ({ session }) => session.csrfToken,
  storeTokenInState: ({ session }, token) => {
    session.csrfToken = token;
  },
});

/** wallabag's Android app and programs like it fill in the forms of its pages, whose fields have names of their own. */
const wallabagTokenIn = (body: unknown): string =>
  textOf(body, '_csrf_token') || textOf(objectIn(body, 'client'), '_token');

/** The token for the forms of a page; the session begins with it if there is no session yet. */
export const csrfTokenOf = csrf.generateToken;

export const hasCsrfToken = csrf.isRequestValid;

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
