import { csrfSync } from 'csrf-sync';

import { textOf } from './fields.js';

const TOKEN_BYTES = 32;

/** Synchroniser tokens: one a session, kept in the encrypted cookie, repeated by every form (docs/decisions/0020). */
const csrf = csrfSync({
  size: TOKEN_BYTES,
  getTokenFromRequest: ({ body }) => textOf(body, '_csrf'),
  getTokenFromState: ({ session }) => session.csrfToken,
  storeTokenInState: ({ session }, token) => {
    session.csrfToken = token;
  },
});

/** The token for the forms of a page; the session begins with it where there is none. */
export const csrfTokenOf = csrf.generateToken;

export const hasCsrfToken = csrf.isRequestValid;
