import { Injectable, Logger } from '@nestjs/common';

import { Database } from '../database/database.js';
import { CounterStore } from '../throttling/counter.store.js';
import { throttleKey } from '../throttling/throttle.guard.js';
import type { TokenSubject } from './access-token-claims.js';
import { AccessTokens } from './access-tokens.js';
import { canonicalEmail } from './email-address.js';
import type { User } from './entities/user.entity.js';
import { Passwords } from './passwords.js';
import { AccountLimit } from './throttle-limits.js';
import { UserStore } from './user.store.js';

/** Tells whose account a proof opens; undefined when it opens none. */
@Injectable()
export class Identities {
  private readonly logger = new Logger(Identities.name);

  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly accessTokens: AccessTokens,
    private readonly counters: CounterStore,
  ) {}

  /** A right password gives the account its attempts back; other proofs do not (docs/decisions/0013). */
  async byPassword(email: string, password: string): Promise<User | undefined> {
    const user = await this.database.read((manager) =>
      new UserStore(manager).findByEmail(canonicalEmail(email)),
    );
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

  bySubject({ userId, sessionEpoch }: TokenSubject): Promise<User | undefined> {
    return this.database.read((manager) =>
      new UserStore(manager).findSignedIn(userId, sessionEpoch),
    );
  }

  /** The password is at hand only at login, so that is when a hash of an older cost is replaced. */
  private async strengthen({ id, passwordHash }: User, password: string): Promise<void> {
    if (this.passwords.isOutdated(passwordHash)) {
      try {
        const replacement = await this.passwords.hash(password);
        await this.database.write((manager) =>
          new UserStore(manager).replaceHash(id, passwordHash, replacement),
        );
      } catch (error) {
        this.logger.warn(`the hash of user ${id} is not renewed yet: ${String(error)}`);
      }
    }
  }
}
