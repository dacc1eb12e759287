import 'express-session';

import { randomBytes } from 'node:crypto';

import type { Request } from 'express';
import type { Session as CookieSession, SessionData } from 'express-session';

import { defined } from '../../lib/util/defined.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import type { SessionSubject } from './session.repository.js';

declare module 'express-session' {
  /** The contents of the encrypted session cookie, in addition to its expiry (specification, "Authentication" 2). */
  interface SessionData {
    authenticated: true;
    user_id: string;
    epoch: number;
    session_id: string;
    /** The way in which the user has logged in. Undefined for a login by password. */
    loginBy?: LoginWay;
    /** The CSRF token, which every form of the session contains (docs/decisions/0054). */
    csrfToken?: string | null | undefined;
  }
}

/**
 * The way in which a user has logged in outside Satchel: at an OpenID Connect issuer or at a proxy.
 */
export type LoginWay = 'issuer' | 'proxy';

const CSRF_TOKEN_BYTES = 32;

/**
 * Returns the session and the user that a cookie identifies. Returns undefined if the person has not logged in, or if
 * an earlier version of Satchel wrote the cookie without a session id.
 */
export function subjectOf({
  authenticated,
  user_id: userId,
  epoch,
  session_id: id,
}: CookieSession & Partial<SessionData>): SessionSubject | undefined {
  return authenticated === true && userId !== undefined && epoch !== undefined && id !== undefined
    ? { userId, tokenVersion: epoch, sessionId: hashOf(id) }
    : undefined;
}

interface Begun {
  readonly id: string;
  readonly loginBy: LoginWay | undefined;
}

/** Writes a session to the cookie. */
export function fill({ session }: Request, user: User, { id, loginBy }: Begun): void {
  session.authenticated = true;
  session.user_id = user.id;
  session.epoch = user.tokenVersion;
  session.session_id = id;
  // The login creates the CSRF token. If pages created it, two pages that load at the same time
  // would create different tokens.
  session.csrfToken = randomBytes(CSRF_TOKEN_BYTES).toString('hex');
  Object.assign(session, defined({ loginBy }));
}
