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
  /** Of the account, as it was typed. */
  readonly email: string;
}

/**
 * Counts the refused logins of programs that log in by password again and again, under the limits and in the counters
 * of POST /login. An attempt counts while it is under way, so that many at once are no way around a limit, and is taken
 * back when it succeeds: it costs a guess at POST /login nothing, and gives none.
 */
@Injectable()
export class LoginAttempts {
  constructor(
    private readonly counters: ThrottleStorage,
    private readonly config: Config,
  ) {}

  /** What the attempt comes to; one that throws is refused, too. Throws TooManyRequestsError. */
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

  /** Addresses come first, as in throttle-limits.ts. */
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
