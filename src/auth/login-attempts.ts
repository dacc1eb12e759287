import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { TooManyRequestsError } from '../platform/common/common.errors.js';
import { Config } from '../platform/config/config.js';
import { clientNetwork, throttleKey } from '../platform/throttling/throttle.guard.js';
import { type AttemptLimit, ThrottleStorage } from '../platform/throttling/throttle-storage.js';
import { canonicalEmail } from './email-address.js';
import { AccountLimit, WINDOW_MS } from './throttle-limits.js';

interface CountedLogin {
  readonly request: Request;
  /** The email address as the user typed it. */
  readonly email: string;
}

/**
 * Limits the failed logins of programs, with the same limits and counters as POST /login. Each
 * attempt is counted before it runs, so that parallel attempts cannot exceed a limit. A successful
 * attempt is subtracted again.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly counters: ThrottleStorage,
    private readonly config: Config,
  ) {}

  /**
   * Runs a login attempt and returns its result. An attempt that throws an error counts as failed.
   * @throws TooManyRequestsError if a limit is exceeded.
   */
  async run<T>(
    login: CountedLogin,
    attempt: () => Promise<T>,
    isLoggedIn: (result: T) => boolean = () => true,
  ): Promise<T> {
    const { counted, refusal } = await this.counters.incrementAll(this.limitsOf(login), WINDOW_MS);
    if (refusal !== undefined) {
      throw new TooManyRequestsError(refusal.retryAfterSeconds);
    }
    const result = await attempt();
    if (isLoggedIn(result)) {
      await this.counters.takeAllBack(counted);
    }
    return result;
  }

  /**
   * Returns the limits of a login attempt, in the order in which they are checked. The limit per
   * network address comes first, so that attempts from a blocked network address do not count
   * against an account.
   */
  private limitsOf({ request, email }: CountedLogin): AttemptLimit[] {
    const { loginPerAddress, loginPerAccount } = this.config.limits;
    const network = clientNetwork(request);
    const account = canonicalEmail(email);
    return [
      { key: throttleKey(AccountLimit.LoginPerAddress, network), limit: loginPerAddress },
      { key: throttleKey(AccountLimit.LoginPerAccount, account), limit: loginPerAccount },
    ].filter(({ limit }) => limit > 0);
  }
}
