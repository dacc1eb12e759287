import { Injectable, Logger } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { throttleKey } from '../../platform/throttling/throttle.guard.js';
import { type AttemptLimit, ThrottleStorage } from '../../platform/throttling/throttle-storage.js';
import { EReaderLimitError, type LimitedBy } from './e-reader-mail.errors.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The user for whom a mail is sent to an e-reader. */
export interface Sender {
  readonly userId: string;
  /**
   * The network of the client that requests the mail, as `clientNetwork` returns it. Undefined for a scheduled digest.
   */
  readonly clientNetwork?: string;
}

interface MailLimit extends AttemptLimit {
  readonly name: LimitedBy;
}

/**
 * Limits the daily mails to e-readers, per user, per client address and for the whole service (docs/decisions/0100).
 */
@Injectable()
export class EReaderLimits {
  private readonly logger = new Logger(EReaderLimits.name);
  /** The end of the limit period in which the latest warning was logged. */
  private loggedWindow: string | undefined;

  constructor(
    private readonly counters: ThrottleStorage,
    private readonly config: Config,
  ) {}

  /**
   * Counts a mail against all limits. If a limit is reached, changes no counter.
   *
   * @throws EReaderLimitError if a limit is reached
   */
  async count(sender: Sender): Promise<void> {
    const { refusal } = await this.counters.incrementAll(this.limitsFor(sender), DAY_MS);
    if (refusal === undefined) {
      return;
    }
    const { by, endsAt, retryAfterSeconds } = refusal;
    if (by.name === 'service') {
      this.logOnce(by.limit, endsAt);
    }
    throw new EReaderLimitError(by.name, by.limit, retryAfterSeconds);
  }

  /**
   * Returns the limits in the order in which they are checked. The client address is first, so a
   * client over its limit does not touch the counters of the user and of the service.
   */
  private limitsFor({ userId, clientNetwork }: Sender): MailLimit[] {
    const { eReaderMailPerAddress, eReaderMailPerUser, eReaderMailPerDay } = this.config.limits;
    const perAddress =
      clientNetwork === undefined
        ? []
        : [limit('address', 'e-reader-mail-address', clientNetwork, eReaderMailPerAddress)];
    return [
      ...perAddress,
      limit('user', 'e-reader-mail', userId, eReaderMailPerUser),
      limit('service', 'e-reader-mail-service', '', eReaderMailPerDay),
    ].filter(({ limit: most }) => most > 0);
  }

  /** Logs a warning that the daily limit of the service is reached, but only once per limit period. */
  private logOnce(most: number, window: string): void {
    if (this.loggedWindow !== window) {
      this.loggedWindow = window;
      this.logger.warn(
        `EREADER_LIMIT_PER_DAY is reached: ${most} mails to e-readers. Further mails are refused until ${window}`,
      );
    }
  }
}

const limit = (name: LimitedBy, counter: string, tracker: string, most: number): MailLimit => ({
  name,
  key: throttleKey(counter, tracker),
  limit: most,
});
