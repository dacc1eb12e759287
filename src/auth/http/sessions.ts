import { promisify } from 'node:util';

import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { Config } from '../../config/config.js';
import type { User } from '../entities/user.entity.js';
import { sessionCookieName, sessionCookieOptions } from '../session/session.middleware.js';
import { SignOutService } from '../sign-out.service.js';

/** Begins and ends the session that the encrypted cookie carries. */
@Injectable()
export class Sessions {
  constructor(
    private readonly signOuts: SignOutService,
    private readonly config: Config,
  ) {}

  /** A session that the browser brought along is left behind, so that nobody can plant one (CVE-2022-25896). */
  async begin(request: Request, user: User): Promise<void> {
    await promisify(request.session.regenerate.bind(request.session))();
    request.session.authenticated = true;
    request.session.user_id = user.id;
    request.session.epoch = user.sessionEpoch;
  }

  /** Signs the user out everywhere, and the browser lets go of its cookie (docs/decisions/0010). */
  async end(user: User, request: Request, response: Response): Promise<void> {
    await this.signOuts.signOut(user.id);
    await this.leave(request, response);
  }

  /** The browser lets go of its cookie; sessions elsewhere live on. */
  async leave(request: Request, response: Response): Promise<void> {
    await promisify(request.session.destroy.bind(request.session))();
    response.clearCookie(sessionCookieName(this.config), sessionCookieOptions(this.config));
  }
}
