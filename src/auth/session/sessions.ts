import 'express-session';

import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Session as CookieSession, SessionData } from 'express-session';

import { defined } from '../../lib/util/defined.js';
import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { optionalWrite } from '../../platform/database/optional-write.js';
import { browserLanguage, chooseLanguage } from '../../platform/http/request-language.js';
import { Every } from '../../platform/jobs/every.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { LinkPurpose, OneTimeLink } from '../entities/one-time-link.entity.js';
import type { Session } from '../entities/session.entity.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { TokenService } from '../token.service.js';
import { UserRepository } from '../user.repository.js';
import { addressOf, deviceOf, originOf } from './device.js';
import { LoginNotices } from './login-notices.js';
import { sessionCookieName, sessionCookieOptions } from './session.middleware.js';
import { SessionRepository, type SessionSubject } from './session.repository.js';

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

declare module 'express' {
  interface Request {
    /**
     * The session of the request's cookie. Undefined if the request was authenticated without a
     * session cookie.
     */
    currentSession?: Session;
  }
}

/**
 * The way in which a user has logged in outside Satchel: at an OpenID Connect issuer or at a proxy.
 */
export type LoginWay = 'issuer' | 'proxy';

const ID_BYTES = 16;
const CSRF_TOKEN_BYTES = 32;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/**
 * Returns the session and the user that a cookie identifies. Returns undefined if the person has not logged in, or if
 * an earlier version of Satchel wrote the cookie without a session id.
 */
function subjectOf({
  authenticated,
  user_id: userId,
  epoch,
  session_id: id,
}: CookieSession & Partial<SessionData>): SessionSubject | undefined {
  return authenticated === true && userId !== undefined && epoch !== undefined && id !== undefined
    ? { userId, tokenVersion: epoch, sessionId: hashOf(id) }
    : undefined;
}

/**
 * Begins, finds and ends sessions. The encrypted cookie of a browser contains the id of its session
 * (docs/decisions/0063).
 */
@Injectable()
export class Sessions {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionRepository,
    private readonly tokens: TokenService,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly notices: LoginNotices,
  ) {}

  /**
   * Returns the user of the session cookie. Returns undefined if the person has not logged in or the session has ended.
   */
  async find(request: Request): Promise<User | undefined> {
    const subject = subjectOf(request.session);
    const session = subject && (await this.sessions.findLive(subject));
    if (session === undefined || this.isOver(session)) {
      return undefined;
    }
    if (this.sessions.isDue(session, this.clock.now())) {
      const touch = (): Promise<void> => this.sessions.touch(session.id, addressOf(request));
      await optionalWrite('the last use of a session', touch);
    }
    request.currentSession = session;
    session.user.origin = originOf(request);
    chooseLanguage(request, session.user.language);
    return session.user;
  }

  /**
   * Begins a session with a new id. Does not reuse the session id from the browser, because an
   * attacker may have planted it to share the session (CVE-2022-25896).
   * @throws InvalidCredentialsError if the user was signed out while this call ran.
   */
  async begin(request: Request, user: User, loginBy?: LoginWay): Promise<void> {
    await this.start(request, user, { loginBy, isLogin: true });
  }

  /**
   * Begins a new session after a change that has ended all sessions of the user. Throws the errors of `begin`.
   */
  async goOn(request: Request, user: User): Promise<void> {
    await this.start(request, user, { loginBy: request.session.loginBy, isLogin: false });
  }

  private async start(
    request: Request,
    user: User,
    { loginBy, isLogin }: { readonly loginBy: LoginWay | undefined; readonly isLogin: boolean },
  ): Promise<void> {
    await this.renew(request);
    const id = randomBytes(ID_BYTES).toString('base64url');
    const origin = { device: deviceOf(request), address: addressOf(request) };
    const isNew = await this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      await users.lockSignedIn(user);
      await SessionRepository.in(manager).add({ id: hashOf(id), userId: user.id, ...origin });
      if (isLogin) {
        await AuditRepository.in(manager).login({ id: user.id, origin });
      }
      const isUnknown = await this.notices.note(manager, user, origin);
      // The mail about a login from an unknown place must not be in the language of a thief.
      if (!isUnknown) {
        await users.noteBrowserLanguage(user, browserLanguage(request));
      }
      return isUnknown;
    });
    fill(request, user, { id, loginBy });
    if (isNew) {
      this.notices.send(user, origin);
    }
  }

  /**
   * Completes a login. If the user was authenticated by the session cookie, keeps this session.
   * Otherwise, begins a new session.
   */
  async logIn(request: Request, user: User): Promise<void> {
    const { currentSession, session } = request;
    const { session_id: id, loginBy } = session;
    if (currentSession === undefined || id === undefined) {
      await this.begin(request, user);
    } else {
      await regenerate(request);
      fill(request, user, { id, loginBy });
    }
  }

  /** Ends the session of the request, and begins a new one without a user. */
  async renew(request: Request): Promise<void> {
    await this.forget(request);
    await regenerate(request);
  }

  /**
   * Signs the user out everywhere, and clears the session cookie of the request
   * (docs/decisions/0010).
   */
  async end(user: User, request: Request, response: Response): Promise<void> {
    await this.tokens.signOut(user.id);
    await this.leave(request, response);
  }

  /**
   * Ends the session of the request, and clears its cookie. Sessions in other browsers stay valid.
   */
  async leave(request: Request, response: Response): Promise<void> {
    await this.forget(request);
    await promisify(request.session.destroy.bind(request.session))();
    response.clearCookie(sessionCookieName(this.config), sessionCookieOptions(this.config));
  }

  /** Returns the sessions of the user, the most recently used first. */
  async list(user: User): Promise<Session[]> {
    const sessions = await this.sessions.latestFirst(user.id);
    return sessions.filter((session) => !this.isOver(session));
  }

  private isOver(session: Session): boolean {
    return this.sessions.isOver(session, this.clock.now(), this.config.sessionLimits);
  }

  /** Ends one session of the user. Ignores the id of another user's session. */
  async endOne(user: User, id: Buffer): Promise<void> {
    await this.endSome(user, (sessions) => sessions.delete({ id, userId: user.id }));
  }

  /** Ends all sessions of the user except the one that sent this request. */
  async endOthers(user: User, { currentSession }: Request): Promise<void> {
    if (currentSession !== undefined) {
      await this.endSome(user, (sessions) => sessions.endOthers(user.id, currentSession.id));
    }
  }

  /** Ends sessions, and cancels a change of the email address that one of them may have requested. */
  private async endSome(
    { id: userId }: User,
    end: (sessions: SessionRepository) => Promise<unknown>,
  ): Promise<void> {
    await this.database.transaction(async (manager) => {
      await UserRepository.in(manager).lock(userId);
      await end(SessionRepository.in(manager));
      await manager.delete(OneTimeLink, { userId, purpose: LinkPurpose.EmailChange });
    });
  }

  @Every(SWEEP_EVERY_MS)
  async sweep(): Promise<void> {
    await this.sessions.sweep(this.config.sessionTtlSeconds);
  }

  private async forget({ session }: Request): Promise<void> {
    const subject = subjectOf(session);
    if (subject !== undefined) {
      await this.sessions.delete({ id: subject.sessionId });
    }
  }
}

const regenerate = ({ session }: Request): Promise<void> =>
  promisify(session.regenerate.bind(session))();

interface Begun {
  readonly id: string;
  readonly loginBy: LoginWay | undefined;
}

function fill({ session }: Request, user: User, { id, loginBy }: Begun): void {
  session.authenticated = true;
  session.user_id = user.id;
  session.epoch = user.tokenVersion;
  session.session_id = id;
  // The login creates the CSRF token. If pages created it, two pages that load at the same time
  // would create different tokens.
  session.csrfToken = randomBytes(CSRF_TOKEN_BYTES).toString('hex');
  Object.assign(session, defined({ loginBy }));
}
