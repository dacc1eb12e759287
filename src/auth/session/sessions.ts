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
import { Every } from '../../platform/jobs/every.js';
import type { Session } from '../entities/session.entity.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { TokenService } from '../token.service.js';
import { UserRepository } from '../user.repository.js';
import { addressOf, deviceOf } from './device.js';
import { LoginNotices } from './login-notices.js';
import { sessionCookieName, sessionCookieOptions } from './session.middleware.js';
import { SessionRepository, type SessionSubject } from './session.repository.js';

declare module 'express-session' {
  /** What the encrypted cookie holds (specification, "Authentication" 2) besides its expiry. */
  interface SessionData {
    authenticated: true;
    user_id: string;
    epoch: number;
    session_id: string;
    /** Set where no password was the credential. */
    loginBy?: LoginWay;
  }
}

declare module 'express' {
  interface Request {
    /** Set where the cookie was the credential. */
    currentSession?: Session;
  }
}

/** Where a user has logged in who has not done so here. */
export type LoginWay = 'issuer' | 'proxy';

const ID_BYTES = 16;
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** Undefined before a login; a cookie of a version that knew no ids counts no more. */
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

/** Begins, finds and ends the sessions that encrypted cookies carry (docs/decisions/0063). */
@Injectable()
export class Sessions {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionRepository,
    private readonly users: UserRepository,
    private readonly tokens: TokenService,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly notices: LoginNotices,
  ) {}

  /** The user of the cookie; undefined before a login, and after the session was ended. */
  async find(request: Request): Promise<User | undefined> {
    const subject = subjectOf(request.session);
    const session = subject && (await this.sessions.findLive(subject));
    if (session === undefined) {
      return undefined;
    }
    if (this.sessions.isDue(session, this.clock.now())) {
      const touch = (): Promise<void> => this.sessions.touch(session.id, addressOf(request));
      await optionalWrite('the last use of a session', touch);
    }
    request.currentSession = session;
    return session.user;
  }

  /**
   * Begins a session. One that the browser brought along is left behind, so that an attacker cannot plant it
   * (CVE-2022-25896). Throws InvalidCredentialsError where the user was signed out meanwhile.
   */
  async begin(request: Request, user: User, loginBy?: LoginWay): Promise<void> {
    await this.renew(request);
    const id = randomBytes(ID_BYTES).toString('base64url');
    const origin = { device: deviceOf(request), address: addressOf(request) };
    const isNew = await this.database.transaction(async (manager) => {
      await manager.withRepository(this.users).lockSignedIn(user);
      await manager
        .withRepository(this.sessions)
        .add({ id: hashOf(id), userId: user.id, ...origin });
      return this.notices.note(manager, user, origin);
    });
    fill(request, user, { id, loginBy });
    if (isNew) {
      this.notices.send(user, origin);
    }
  }

  /** After a login: goes on with the session whose cookie was the credential, or begins one. */
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

  /** Ends the session of this browser, and begins one of no user. */
  async renew(request: Request): Promise<void> {
    await this.forget(request);
    await regenerate(request);
  }

  /** Signs the user out everywhere, and clears the cookie of this browser (docs/decisions/0010). */
  async end(user: User, request: Request, response: Response): Promise<void> {
    await this.tokens.signOut(user.id);
    await this.leave(request, response);
  }

  /** Ends the session of this browser, and clears the cookie; sessions in others stay valid. */
  async leave(request: Request, response: Response): Promise<void> {
    await this.forget(request);
    await promisify(request.session.destroy.bind(request.session))();
    response.clearCookie(sessionCookieName(this.config), sessionCookieOptions(this.config));
  }

  /** Those of the user, the latest use first. */
  list(user: User): Promise<Session[]> {
    return this.sessions.latestFirst(user.id);
  }

  /** Ends one session of the user; sessions of other users are left alone. */
  async endOne(user: User, id: Buffer): Promise<void> {
    await this.sessions.delete({ id, userId: user.id });
  }

  /** Ends every session of the user but that of this request. */
  async endOthers(user: User, { currentSession }: Request): Promise<void> {
    if (currentSession !== undefined) {
      await this.sessions.endOthers(user.id, currentSession.id);
    }
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
  Object.assign(session, defined({ loginBy }));
}
