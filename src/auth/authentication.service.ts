import { Injectable, Logger } from '@nestjs/common';

import { throttleKey } from '../throttling/throttle.guard.js';
import { ThrottleStorage } from '../throttling/throttle-storage.js';
import { AccessTokens, type TokenSubject } from './access-tokens.js';
import { canonicalEmail } from './email-address.js';
import type { User } from './entities/user.entity.js';
import { Passwords } from './passwords.js';
import { AccountLimit } from './throttle-limits.js';
import { UserRepository } from './user.repository.js';

/** Finds the user of a credential; undefined for a credential that is not valid. */
@Injectable()
export class AuthenticationService {
  private readonly logger = new Logger(AuthenticationService.name);

  constructor(
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly accessTokens: AccessTokens,
    private readonly counters: ThrottleStorage,
  ) {}

  /** A right password resets the failed attempts of the account; other credentials do not (docs/decisions/0013). */
  async byPassword(email: string, password: string): Promise<User | undefined> {
    const user = await this.users.findOneBy({ email: canonicalEmail(email) });
    const isMatch = await this.passwords.matches(password, user?.passwordHash);
    if (!isMatch || user?.disabledAt !== null) {
      return undefined;
    }
    await this.counters.forget(throttleKey(AccountLimit.LoginPerAccount, user.email));
    await this.strengthen(user, password);
    return user;
  }

  async byAccessToken(token: string): Promise<User | undefined> {
    const subject = this.accessTokens.verify(token);
    return subject === undefined ? undefined : this.bySubject(subject);
  }

  bySubject({ userId, tokenVersion }: TokenSubject): Promise<User | undefined> {
    return this.users.findSignedIn(userId, tokenVersion);
  }

  /** The password is at hand only at login, so that is when a hash of an older cost is replaced. */
  private async strengthen({ id, passwordHash }: User, password: string): Promise<void> {
    if (this.passwords.isOutdated(passwordHash)) {
      try {
        const replacement = await this.passwords.hash(password);
        // Unless the password was changed since it was read.
        await this.users.update({ id, passwordHash }, { passwordHash: replacement });
      } catch (error) {
        this.logger.warn(`the hash of user ${id} is not renewed yet: ${String(error)}`);
      }
    }
  }
}
