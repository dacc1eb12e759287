import { Injectable } from '@nestjs/common';
import { DEFAULT_IPV6_SUBNET_PREFIX, normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';

import { TooManyRequestsError } from '../common/common.errors.js';
import { Config } from '../config/config.js';
import { throttleKey } from '../throttling/throttle.guard.js';
import { type CountedAttempt, ThrottleStorage } from '../throttling/throttle-storage.js';
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
    // Addresses come first, as in throttle-limits.ts.
    const counted: CountedAttempt[] = [];
    for (const { key, limit } of this.countersOf(login)) {
      const one = await this.counters.increment(key, WINDOW_MS, limit);
      counted.push(one);
      if (one.isBlocked) {
        // It was not tried: many good ones at once use nothing up.
        await this.takeBack(counted);
        throw new TooManyRequestsError(one.timeToExpire);
      }
    }
    const result = await attempt();
    if (isLoggedIn(result)) {
      await this.takeBack(counted);
    }
    return result;
  }

  private async takeBack(counted: readonly CountedAttempt[]): Promise<void> {
    await Promise.all(counted.map((one) => this.counters.takeBack(one)));
  }

  private countersOf({ request, email }: CountedLogin): { key: string; limit: number }[] {
    const { loginPerAddress, loginPerAccount } = this.config.limits;
    const address = normalizeIp(request.ip ?? '', DEFAULT_IPV6_SUBNET_PREFIX);
    const account = canonicalEmail(email);
    return [
      { key: throttleKey(AccountLimit.LoginPerAddress, address), limit: loginPerAddress },
      { key: throttleKey(AccountLimit.LoginPerAccount, account), limit: loginPerAccount },
    ].filter(({ limit }) => limit > 0);
  }
}
