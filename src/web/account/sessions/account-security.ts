import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import type { User } from '../../../auth/entities/user.entity.js';
import { SecondFactorSettings } from '../../../auth/second-factor/second-factor-settings.js';
import { Sessions } from '../../../auth/session/sessions.js';
import type { SecondFactorCard } from '../second-factor/second-factor-card.js';
import { type SessionCard, sessionCardOf } from './session-card.js';

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
    const [sessions, secondFactor] = await Promise.all([
      this.sessions.list(user),
      this.secondFactor.stateOf(user),
    ]);
    return {
      sessions: sessions.map((session) => sessionCardOf(session, currentSession)),
      secondFactor,
    };
  }
}
