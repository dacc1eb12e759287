import { Injectable, Logger } from '@nestjs/common';

import { AccessTokens } from './access-tokens.js';
import { canonicalEmail } from './email-address.js';
import type { User } from './entities/user.entity.js';
import { Passwords } from './passwords.js';
import { SecondFactors } from './second-factor/second-factors.js';
import { UserRepository } from './user.repository.js';

/** Finds the user of a credential; undefined for a credential that is not valid. */
@Injectable()
export class AuthenticationService {
  private readonly logger = new Logger(AuthenticationService.name);

  constructor(
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly accessTokens: AccessTokens,
    private readonly secondFactors: SecondFactors,
  ) {}

  /**
   * A right password resets the failed attempts of the account; other credentials do not (docs/decisions/0013). Where a
   * second factor is on its code does: who knows the password cannot guess codes without end.
   */
  async byPassword(email: string, password: string): Promise<User | undefined> {
    const user = await this.users.findOneBy({ email: canonicalEmail(email) });
    const isMatch = await this.passwords.matches(password, user?.passwordHash);
    if (!isMatch || user?.disabledAt !== null) {
      return undefined;
    }
    if (!(await this.secondFactors.isOn(user))) {
      await this.secondFactors.giveAttemptsBack(user);
    }
    await this.strengthen(user, password);
    return user;
  }

  async byAccessToken(token: string): Promise<User | undefined> {
    const subject = this.accessTokens.verify(token);
    return subject && this.users.findSignedIn(subject.userId, subject.tokenVersion);
  }

  /** The password is at hand only at login, so that is when a hash of an older cost is replaced. */
  private async strengthen({ id, passwordHash }: User, password: string): Promise<void> {
    if (passwordHash !== null && this.passwords.isOutdated(passwordHash)) {
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
