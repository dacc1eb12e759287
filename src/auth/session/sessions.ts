import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { defined } from '../../lib/util/defined.js';
import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { optionalWrite } from '../../platform/database/optional-write.js';
import { browserLanguage, chooseLanguage } from '../../platform/http/request-language.js';
import { Every } from '../../platform/jobs/every.js';
import { type ActingUser, AuditRepository } from '../audit/audit.repository.js';
import { LinkPurpose, OneTimeLink } from '../entities/one-time-link.entity.js';
import type { Session } from '../entities/session.entity.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { TokenService } from '../token.service.js';
import { UserRepository } from '../user.repository.js';
import { addressOf, deviceOf, originOf } from './device.js';
import { LoginNotices } from './login-notices.js';
import { sessionCookieName, sessionCookieOptions } from './session.middleware.js';
import { SessionRepository } from './session.repository.js';
import { fill, type LoginWay, subjectOf } from './session-cookie.js';

declare module 'express' {
  interface Request {
    /**
     * The session of the request's cookie. Undefined if the request was authenticated without a
     * session cookie.
     */
    currentSession?: Session;
  }
}

/** The way in which a user has logged in, and the time at which the user entered credentials. */
export interface SessionLogin {
  /** Undefined for a login by password or passkey. */
  readonly by?: LoginWay | undefined;
  /** Null if the user entered no credentials, for example at a login with an access token. */
  readonly provenAt: Date | null;
  /** The name of the passkey that the user has used. */
  readonly passkey?: string | undefined;
  /** True if the user has used a second factor in the session that this one continues. */
  readonly hasSecondFactor?: boolean | undefined;
}

interface NewSession {
  readonly login: SessionLogin;
  /** Stores the audit entry of the login. Undefined if the session continues another session. */
  readonly record?: (audit: AuditRepository, user: ActingUser) => Promise<void>;
  /** The beginning of the session that the new session continues. */
  readonly createdAt?: Date | undefined;
}

const ID_BYTES = 16;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

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
   * attacker may have planted it to share the session (CVE-2022-25896). Without a `login`, the user
   * has just entered the password.
   * @throws InvalidCredentialsError if the user was signed out while this call ran.
   */
  async begin(
    request: Request,
    user: User,
    login: SessionLogin = { provenAt: this.clock.now() },
  ): Promise<void> {
    const { passkey } = login;
    await this.start(request, user, { login, record: (audit, by) => audit.login(by, passkey) });
  }

  /**
   * Begins a new session after a change that has ended all sessions of the user. Throws the errors of `begin`.
   */
  async goOn(request: Request, user: User): Promise<void> {
    const { currentSession, session } = request;
    const { provenAt = null, hasSecondFactor } = currentSession ?? {};
    await this.start(request, user, { login: { by: session.loginBy, provenAt, hasSecondFactor } });
  }

  /**
   * Continues the session with a new id after the user has proved the identity again. A copy of the previous cookie is
   * no longer valid. `passkey` is the name of the passkey that the user has used. Throws the errors of `begin`.
   */
  async confirm(request: Request, user: User, passkey?: string): Promise<void> {
    const { currentSession, session } = request;
    const { loginBy: by } = session;
    const hasSecondFactor = currentSession?.hasSecondFactor;
    await this.start(request, user, {
      login: { by, provenAt: this.clock.now(), passkey, hasSecondFactor },
      record: (audit, by) => audit.loginConfirmed(by, passkey),
      createdAt: currentSession?.createdAt,
    });
  }

  private async start(
    request: Request,
    user: User,
    { login, record, createdAt }: NewSession,
  ): Promise<void> {
    const { by: loginBy, provenAt } = login;
    const hasSecondFactor = isWithSecondFactor(user, login);
    await this.renew(request);
    const id = randomBytes(ID_BYTES).toString('base64url');
    const origin = { device: deviceOf(request), address: addressOf(request) };
    const isNew = await this.database.transaction(async (manager) => {
      const users = UserRepository.in(manager);
      await users.lockSignedIn(user);
      const row = { id: hashOf(id), userId: user.id, provenAt, hasSecondFactor, ...origin };
      await SessionRepository.in(manager).add({ ...row, ...defined({ createdAt }) });
      await record?.(AuditRepository.in(manager), { id: user.id, origin });
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
   * Otherwise, begins a new session. A session that begins with an access token proves nothing
   * about the user, because a thief may have the token.
   */
  async logIn(request: Request, user: User, isByPassword: boolean): Promise<void> {
    const { currentSession, session } = request;
    const { session_id: id, loginBy } = session;
    if (currentSession === undefined || id === undefined) {
      await this.begin(request, user, { provenAt: isByPassword ? this.clock.now() : null });
    } else {
      await regenerate(request);
      fill(request, user, { id, loginBy });
    }
  }

  /** Notes that the user of the session has set up a second factor. */
  async noteSecondFactor({ currentSession }: Request): Promise<void> {
    if (currentSession !== undefined) {
      await this.sessions.update({ id: currentSession.id }, { hasSecondFactor: true });
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
    await this.tokens.signOut(user);
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

/** Returns true if the user has entered a code or used a passkey, now or in the session that is continued. */
const isWithSecondFactor = (
  { hasEnteredCode = false }: User,
  { passkey, hasSecondFactor = false }: SessionLogin,
): boolean => hasEnteredCode || passkey !== undefined || hasSecondFactor;
