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
  /** The email address of the account, as the user typed it. */
  readonly email: string;
}

/**
 * Counts the failed logins of programs that log in by password again and again. Uses the limits and the counters of
 * POST /login. An attempt is counted while it runs, because parallel attempts could otherwise exceed a limit. A
 * successful attempt is subtracted from the counters.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly counters: ThrottleStorage,
    private readonly config: Config,
  ) {}

  /**
   * Runs the attempt and returns its result. An attempt that throws counts as failed.
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

  /** Returns the limits of an attempt. The limit per network address comes first, as in throttle-limits.ts. */
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
