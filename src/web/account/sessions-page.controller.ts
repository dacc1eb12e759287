import { Controller, Injectable, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';

import { User } from '../../auth/entities/user.entity.js';
import { CurrentUser } from '../../auth/http/auth.guards.js';
import { SecondFactorSettings } from '../../auth/second-factor/second-factor-settings.js';
import { Sessions } from '../../auth/session/sessions.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Public } from '../../platform/http/public.js';
import { CsrfGuard } from '../csrf.guard.js';
import { PageErrorFilter } from '../page-error.filter.js';
import { goTo } from '../pages.js';
import { VisitorGuard } from '../visitors.js';
import type { SecondFactorCard, SessionCard } from './account-views.js';
import { momentOf, sessionCardOf } from './view-models.js';

/** Loads the sessions and the second factor of a user for the account page. */
@Injectable()
export class AccountSecurity {
  constructor(
    private readonly sessions: Sessions,
    private readonly secondFactor: SecondFactorSettings,
  ) {}

  async cardsOf(
    user: User,
    { currentSession }: Request,
  ): Promise<{ sessions: SessionCard[]; secondFactor: SecondFactorCard | undefined }> {
    const [sessions, state] = await Promise.all([
      this.sessions.list(user),
      this.secondFactor.stateOf(user),
    ]);
    return {
      sessions: sessions.map((session) => sessionCardOf(session, currentSession)),
      secondFactor: state && { ...state, since: momentOf(state.since) },
    };
  }
}

const SESSION_ID = /^[\w-]{43}$/;

/** The forms of the account page that end sessions. */
@Public()
@UseFilters(PageErrorFilter)
@UseGuards(CsrfGuard, VisitorGuard)
@Controller('account/sessions')
export class SessionsPageController {
  constructor(private readonly sessions: Sessions) {}

  /** Ends a session. If the session has already ended, nothing happens. */
  @Post('end')
  async end(
    @CurrentUser() user: User,
    @Req() { body }: Request,
    @Res() response: Response,
  ): Promise<void> {
    const id = textOf(body, 'session');
    if (SESSION_ID.test(id)) {
      await this.sessions.endOne(user, Buffer.from(id, 'base64url'));
    }
    goTo(response, '/account?done=session-ended');
  }

  @Post('end-others')
  async endOthers(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.sessions.endOthers(user, request);
    goTo(response, '/account?done=sessions-ended');
  }
}
