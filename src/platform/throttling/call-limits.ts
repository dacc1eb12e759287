import { Injectable } from '@nestjs/common';

import { TooManyRequestsError } from '../common/common.errors.js';
import { Config } from '../config/config.js';
import { Metric, type Sample } from '../metrics/metric.js';
import { Tally } from '../metrics/tally.js';
import { syncCounter, userCounter } from './call-counter.repository.js';
import { CallLeases, type Counted, type Quota, WINDOW_SECONDS } from './call-leases.js';
import { LIMIT_REFUSALS } from './limit-refusals.js';

/** The remaining calls of a user and of a consumer key. */
export interface CallQuotas {
  readonly user: Quota;
  readonly key: Quota;
}

interface Admission extends CallQuotas {
  readonly retryAfterSeconds: number | undefined;
}

/**
 * The limit that responses show if no limit is configured. It fits into 32 bits, which every client
 * supports.
 */
const NO_LIMIT = 2_147_483_647;

/**
 * Returns the state of a limit before its first call. Responses to unknown callers show this state
 * too.
 */
export const untouched = (limit: number): Quota => {
  const shown = limit === 0 ? NO_LIMIT : limit;
  return { limit: shown, remaining: shown, resetSeconds: WINDOW_SECONDS };
};

/** Counts the API calls of each user and each consumer key. All instances share the counters (docs/decisions/0022). */
@Injectable()
export class CallLimits {
  private readonly refused = new Tally<string>(['user', 'key', 'sync']);

  constructor(
    private readonly leases: CallLeases,
    private readonly config: Config,
  ) {}

  /**
   * Counts a call for the user and for the consumer key. If one of the two limits is reached, the
   * call is rejected and not counted at all.
   */
  admit(userId: string, consumerKeyId: string): Promise<Admission> {
    const { perUser } = this.config.callLimits;
    return this.admitUnder({ key: userCounter(userId), limit: perUser }, consumerKeyId);
  }

  @Metric(LIMIT_REFUSALS)
  refusals(): readonly Sample[] {
    return this.refused.samples('limit');
  }

  /**
   * Counts a call of the wallabag API or the OPDS catalogue. These calls have a separate limit per user, because a sync
   * makes a call for each article.
   *
   * @throws TooManyRequestsError if a limit is reached
   */
  async countSyncCall(userId: string, consumerKeyId: string): Promise<void> {
    const user = { key: syncCounter(userId), limit: this.config.syncCallsPerHour };
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
      this.noteRefusal(ofUser === undefined ? user : key);
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

  private noteRefusal({ key }: Counted): void {
    const [kind] = key.split(':', 1);
    this.refused.add(kind ?? '');
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
