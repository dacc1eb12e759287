import { Injectable, Logger } from '@nestjs/common';

import { Metric, type Sample } from '../platform/metrics/metric.js';
import { Tally } from '../platform/metrics/tally.js';
import { AccessTokens } from './access-tokens.js';
import { AuditRepository } from './audit/audit.repository.js';
import { canonicalEmail } from './email-address.js';
import type { Origin } from './entities/origin.js';
import type { User } from './entities/user.entity.js';
import { Passwords } from './passwords.js';
import { SecondFactors } from './second-factor/second-factors.js';
import { UserRepository } from './user.repository.js';

/**
 * Finds the user for the credentials in a request. The methods return undefined for invalid
 * credentials.
 */
@Injectable()
export class AuthenticationService {
  private readonly logger = new Logger(AuthenticationService.name);
  private readonly logins = new Tally(['accepted', 'refused']);

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly accessTokens: AccessTokens,
    private readonly secondFactors: SecondFactors,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Finds the user with this email address and password. For a user without a second factor, the
   * right password resets the counter of failed logins (docs/decisions/0013). With a second factor,
   * only the right code resets the counter, so that a person who knows the password cannot guess
   * codes without limit. A wrong password is recorded as a refused login from `origin`.
   */
  async byPassword(email: string, password: string, origin: Origin): Promise<User | undefined> {
    const user = await this.users.findOneBy({ email: canonicalEmail(email) });
    const isMatch = await this.passwords.matches(password, user?.passwordHash);
    if (!isMatch || user?.disabledAt !== null) {
      this.logins.add('refused');
      await this.audit.refuse(user?.id ?? null, origin);
      return undefined;
    }
    user.origin = origin;
    this.logins.add('accepted');
    if (!(await this.secondFactors.isOn(user))) {
      await this.secondFactors.giveAttemptsBack(user);
    }
    await this.strengthen(user, password);
    return user;
  }

  @Metric({
    name: 'satchel_logins_total',
    help: 'Checked passwords of accounts, by result.',
    kind: 'counter',
    labels: ['result'],
  })
  loginCounts(): readonly Sample[] {
    return this.logins.samples('result');
  }

  async byAccessToken(token: string): Promise<User | undefined> {
    const subject = this.accessTokens.verify(token);
    return subject && this.users.findSignedIn(subject.userId, subject.tokenVersion);
  }

  /**
   * Replaces a password hash with an outdated bcrypt cost. Runs at login, because the password is
   * known only then.
   */
  private async strengthen({ id, passwordHash }: User, password: string): Promise<void> {
    if (passwordHash !== null && this.passwords.isOutdated(passwordHash)) {
      try {
        const replacement = await this.passwords.hash(password);
        // Does not overwrite a hash that another call has stored in the meantime.
        await this.users.update({ id, passwordHash }, { passwordHash: replacement });
      } catch (error) {
        this.logger.warn(`the hash of user ${id} is not renewed yet: ${String(error)}`);
      }
    }
  }
}
