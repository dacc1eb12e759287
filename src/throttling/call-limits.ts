import { Injectable } from '@nestjs/common';

import { Config } from '../config/config.js';
import type { Standing } from './allowance.js';
import { CallLeases, type Counted, WINDOW_SECONDS } from './call-leases.js';

/** How both limits stand for a caller. */
export interface CallStandings {
  readonly user: Standing;
  readonly key: Standing;
}

/** A call that is made, or refused for so many seconds. */
export interface Admission extends CallStandings {
  readonly retryAfterSeconds: number | undefined;
}

/** What no caller reaches, and every client can hold; for who calls without a limit. */
const NO_LIMIT = 2_147_483_647;

/** The limits as they stand for somebody who has not called yet, and for nobody in particular. */
export const untouched = (limit: number): Standing => {
  const shown = limit === 0 ? NO_LIMIT : limit;
  return { limit: shown, remaining: shown, resetSeconds: WINDOW_SECONDS };
};

/** Counts the calls of a user and of a consumer key over all instances (docs/decisions/0022). */
@Injectable()
export class CallLimits {
  constructor(
    private readonly leases: CallLeases,
    private readonly config: Config,
  ) {}

  /** A call that one of the limits refuses is not counted by the other. */
  async admit(userId: string, consumerKeyId: string): Promise<Admission> {
    const { perUser, perKey } = this.config.callLimits;
    const user = { key: `user:${userId}`, limit: perUser };
    const key = { key: `key:${consumerKeyId}`, limit: perKey };
    const [ofUser, ofKey] = await Promise.all([this.spend(user), this.spend(key)]);
    if (ofUser === undefined || ofKey === undefined) {
      this.refund(user, ofUser);
      this.refund(key, ofKey);
    }
    const standings = { user: this.standing(user), key: this.standing(key) };
    const refusals = [
      ...(ofUser === undefined ? [standings.user.resetSeconds] : []),
      ...(ofKey === undefined ? [standings.key.resetSeconds] : []),
    ];
    const retryAfterSeconds = refusals.length === 0 ? undefined : Math.max(...refusals);
    return { ...standings, retryAfterSeconds };
  }

  private spend(counted: Counted): Promise<string | undefined> | string {
    return counted.limit === 0 ? '' : this.leases.spend(counted);
  }

  private refund(counted: Counted, window: string | undefined): void {
    if (counted.limit !== 0 && window !== undefined) {
      this.leases.refund(counted, window);
    }
  }

  private standing(counted: Counted): Standing {
    return counted.limit === 0 ? untouched(0) : this.leases.standing(counted);
  }
}
