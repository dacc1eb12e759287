import { Injectable, Logger } from '@nestjs/common';

import { AccessTokens } from './access-tokens.js';
import { canonicalEmail } from './email-address.js';
import type { User } from './entities/user.entity.js';
import { Passwords } from './passwords.js';
import { SecondFactors } from './second-factor/second-factors.js';
import { UserRepository } from './user.repository.js';

/** Finds the user whose credential was sent. The methods return undefined for an invalid credential. */
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
   * Finds the user of an email address and a password. A right password resets the failed attempts of the account;
   * other credentials do not (docs/decisions/0013). With a second factor, only a right code resets the attempts.
   * Otherwise, a person who knows the password could guess codes without limit.
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

  /** Replaces a password hash that has an outdated cost. Runs at login, because the password is available only then. */
  private async strengthen({ id, passwordHash }: User, password: string): Promise<void> {
    if (passwordHash !== null && this.passwords.isOutdated(passwordHash)) {
      try {
        const replacement = await this.passwords.hash(password);
        // The condition on the hash skips the update if another call has changed the password.
        await this.users.update({ id, passwordHash }, { passwordHash: replacement });
      } catch (error) {
        this.logger.warn(`the hash of user ${id} is not renewed yet: ${String(error)}`);
      }
    }
  }
}
