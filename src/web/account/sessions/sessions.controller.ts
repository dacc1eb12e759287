import { Post, Req } from '@nestjs/common';
import type { Request } from 'express';

import { User } from '../../../auth/entities/user.entity.js';
import { CurrentUser } from '../../../auth/http/auth.guards.js';
import { Sessions } from '../../../auth/session/sessions.js';
import { textOf } from '../../../platform/common/request-fields.js';
import { type Answer, redirect } from '../../../platform/http/answer.js';
import { Page } from '../../page.js';

const SESSION_ID = /^[\w-]{43}$/;

/** The forms that end sessions. */
@Page('account/sessions')
export class SessionsPageController {
  constructor(private readonly sessions: Sessions) {}

  /** Ends a session. If the session has already ended, nothing happens. */
  @Post('end')
  async end(@CurrentUser() user: User, @Req() { body }: Request): Promise<Answer> {
    const id = textOf(body, 'session');
    if (SESSION_ID.test(id)) {
      await this.sessions.endOne(user, Buffer.from(id, 'base64url'));
    }
    return redirect('/account/security?done=session-ended');
  }

  @Post('end-others')
  async endOthers(@CurrentUser() user: User, @Req() request: Request): Promise<Answer> {
    await this.sessions.endOthers(user, request);
    return redirect('/account/security?done=sessions-ended');
  }
}
