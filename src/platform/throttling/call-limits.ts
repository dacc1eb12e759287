import { Injectable } from '@nestjs/common';

import { TooManyRequestsError } from '../common/common.errors.js';
import { Config } from '../config/config.js';
import { CallLeases, type Counted, type Quota, WINDOW_SECONDS } from './call-leases.js';

/** What is left of both limits of a caller. */
export interface CallQuotas {
  readonly user: Quota;
  readonly key: Quota;
}

/** Whether a call is let through, or for how many seconds it is refused. */
interface Admission extends CallQuotas {
  readonly retryAfterSeconds: number | undefined;
}

/** Shown where there is no limit: no caller reaches it, and it fits 32 bits, which every client can hold. */
const NO_LIMIT = 2_147_483_647;

/** The quota of a user or a key that has not called yet, also shown where the caller is not known. */
export const untouched = (limit: number): Quota => {
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
  admit(userId: string, consumerKeyId: string): Promise<Admission> {
    const { perUser } = this.config.callLimits;
    return this.admitUnder({ key: `user:${userId}`, limit: perUser }, consumerKeyId);
  }

  /**
   * Counts a call of the wallabag API or the OPDS catalogue. A sync makes a call for each article, so these calls have a
   * limit per user of their own.
   * @throws TooManyRequestsError
   */
  async countSyncCall(userId: string, consumerKeyId: string): Promise<void> {
    const user = { key: `sync:${userId}`, limit: this.config.syncCallsPerHour };
    const { retryAfterSeconds } = await this.admitUnder(user, consumerKeyId);
    if (retryAfterSeconds !== undefined) {
      throw new TooManyRequestsError(retryAfterSeconds);
    }
  }

  private async admitUnder(user: Counted, consumerKeyId: string): Promise<Admission> {
    const { perKey } = this.config.callLimits;
    const key = { key: `key:${consumerKeyId}`, limit: perKey };
    const [ofUser, ofKey] = await Promise.all([this.spend(user), this.spend(key)]);
    if (ofUser === undefined || ofKey === undefined) {
      this.refund(user, ofUser);
      this.refund(key, ofKey);
    }
    const quotas = { user: this.quotaOf(user), key: this.quotaOf(key) };
    const refusals = [
      ...(ofUser === undefined ? [quotas.user.resetSeconds] : []),
      ...(ofKey === undefined ? [quotas.key.resetSeconds] : []),
    ];
    const retryAfterSeconds = refusals.length === 0 ? undefined : Math.max(...refusals);
    return { ...quotas, retryAfterSeconds };
  }

  private spend(counted: Counted): Promise<string | undefined> | string {
    return counted.limit === 0 ? '' : this.leases.spend(counted);
  }

  private refund(counted: Counted, window: string | undefined): void {
    if (counted.limit !== 0 && window !== undefined) {
      this.leases.refund(counted, window);
    }
  }

  private quotaOf(counted: Counted): Quota {
    return counted.limit === 0 ? untouched(0) : this.leases.quota(counted);
  }
}
