import { Injectable } from '@nestjs/common';

import { TooManyRequestsError } from '../../platform/common/common.errors.js';
import { Config } from '../../platform/config/config.js';
import { throttleKey } from '../../platform/throttling/throttle.guard.js';
import { type AttemptLimit, ThrottleStorage } from '../../platform/throttling/throttle-storage.js';
import { AccountLimit, WINDOW_MS } from '../throttle-limits.js';

/** A change of an email address that is about to send a mail to the new address. */
interface MailedChange {
  readonly userId: string;
  /** The canonical form of the new email address. */
  readonly email: string;
  /** The network address of the client, as limits per address count it. */
  readonly network: string;
}

/**
 * Limits the mails that changes of email addresses send. `ThrottleGuard` would also count changes that are rejected, and
 * changes of a service without mail.
 */
@Injectable()
export class EmailChangeLimits {
  constructor(
    private readonly counters: ThrottleStorage,
    private readonly config: Config,
  ) {}

  /**
   * Counts a change against all limits. If a limit is reached, changes no counter.
   * @throws TooManyRequestsError if a limit is reached.
   */
  async count(change: MailedChange): Promise<void> {
    const { refusal } = await this.counters.incrementAll(this.limitsOf(change), WINDOW_MS);
    if (refusal !== undefined) {
      throw new TooManyRequestsError(refusal.retryAfterSeconds);
    }
  }

  private limitsOf({ userId, email, network }: MailedChange): AttemptLimit[] {
    const { mailPerAddress, mailPerAccount } = this.config.limits;
    return [
      { key: throttleKey(AccountLimit.MailPerAddress, network), limit: mailPerAddress },
      { key: throttleKey(AccountLimit.ChangePerAccount, userId), limit: mailPerAccount },
      { key: throttleKey(AccountLimit.MailPerTarget, email), limit: mailPerAccount },
    ].filter(({ limit }) => limit > 0);
  }
}
