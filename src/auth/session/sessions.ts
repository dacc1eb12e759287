import 'express-session';

import { promisify } from 'node:util';

import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Session, SessionData } from 'express-session';

import { Config } from '../../config/config.js';
import type { TokenSubject } from '../access-tokens.js';
import type { User } from '../entities/user.entity.js';
import { TokenService } from '../token.service.js';
import { sessionCookieName, sessionCookieOptions } from './session.middleware.js';

declare module 'express-session' {
  /** What the encrypted cookie holds (specification, "Authentication" 2) besides its expiry. */
  interface SessionData {
    authenticated: true;
    user_id: string;
    epoch: number;
  }
}

/** The user of the session; undefined before a login. */
export function subjectOf({
  authenticated,
  user_id: userId,
  epoch,
}: Session & Partial<SessionData>): TokenSubject | undefined {
  return authenticated === true && userId !== undefined && epoch !== undefined
    ? { userId, tokenVersion: epoch }
    : undefined;
}

/** Begins and ends the session that the encrypted cookie carries. */
@Injectable()
export class Sessions {
  constructor(
    private readonly tokens: TokenService,
    private readonly config: Config,
  ) {}

  /** A session that the browser brought along is left behind, so that an attacker cannot plant one (CVE-2022-25896). */
  async begin(request: Request, user: User): Promise<void> {
    await this.renew(request);
    request.session.authenticated = true;
    request.session.user_id = user.id;
    request.session.epoch = user.tokenVersion;
  }

  /** Begins a session of no user. */
  async renew(request: Request): Promise<void> {
    await promisify(request.session.regenerate.bind(request.session))();
  }

  /** Signs the user out everywhere, and clears the cookie of this browser (docs/decisions/0010). */
  async end(user: User, request: Request, response: Response): Promise<void> {
    await this.tokens.signOut(user.id);
    await this.leave(request, response);
  }

  /** Clears the cookie of this browser; sessions in others stay valid. */
  async leave(request: Request, response: Response): Promise<void> {
    await promisify(request.session.destroy.bind(request.session))();
    response.clearCookie(sessionCookieName(this.config), sessionCookieOptions(this.config));
  }
}
