import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Like, Repository } from 'typeorm';

import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { Every } from '../../platform/jobs/every.js';
import { throttleKey } from '../../platform/throttling/throttle.guard.js';
import { ThrottleStorage } from '../../platform/throttling/throttle-storage.js';
import { type ActingUser, AuditRepository } from '../audit/audit.repository.js';
import { InvalidOtpError, OtpRequiredError } from '../auth.errors.js';
import { Cipher } from '../cipher.js';
import { AuditKind } from '../entities/audit-kinds.js';
import { UNKNOWN_ORIGIN } from '../entities/origin.js';
import { RecoveryCode } from '../entities/recovery-code.entity.js';
import { SecondFactor } from '../entities/second-factor.entity.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { AccountLimit } from '../throttle-limits.js';
import { stepOf, typedCode } from './one-time-codes.js';

const ENCRYPT_ANEW_EVERY_MS = 10 * 60 * 1000;

/** Checks the codes of users who log in by password and have a second factor (docs/decisions/0063). */
@Injectable()
export class SecondFactors {
  private readonly logger = new Logger(SecondFactors.name);
  private readonly cipher: Cipher;

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    @InjectRepository(SecondFactor) private readonly factors: Repository<SecondFactor>,
    private readonly counters: ThrottleStorage,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.cipher = new Cipher(config.sessionSecrets, 'second-factor');
  }

  isOn({ id: userId }: Pick<User, 'id'>): Promise<boolean> {
    return this.factors.existsBy({ userId });
  }

  /**
   * Checks the code of a login after the password was found to be right. Notes an accepted code in `user`.
   * @throws OtpRequiredError if a code is needed and missing.
   * @throws InvalidOtpError if the code is wrong.
   */
  async admit(user: User, otp: string): Promise<void> {
    if (!(await this.isOn(user))) {
      return;
    }
    if (otp === '') {
      throw new OtpRequiredError();
    }
    await this.counted(user, () =>
      this.database.transaction((manager) => this.use(manager, user, otp)),
    );
    user.hasEnteredCode = true;
    await this.giveAttemptsBack(user);
  }

  /** Runs a check of a code. A wrong code is recorded as a refused login, outside of the transaction of the check. */
  async counted<T>(
    { id, origin = UNKNOWN_ORIGIN }: ActingUser,
    check: () => Promise<T>,
  ): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof InvalidOtpError) {
        await AuditRepository.in(this.database.manager).refuse(id, origin);
      }
      throw error;
    }
  }

  /**
   * Checks a code, and marks it as used. A row lock ensures that only one of several parallel calls
   * with the same code succeeds.
   * @throws InvalidOtpError if the code is wrong or was used before.
   */
  async use(manager: EntityManager, user: ActingUser, text: string): Promise<void> {
    const code = typedCode(text);
    const isAccepted =
      code !== undefined &&
      ('ofApp' in code
        ? await this.useOfApp(manager, user.id, code.ofApp)
        : await this.useOfRecovery(manager, user, code.ofRecovery));
    if (!isAccepted) {
      throw new InvalidOtpError();
    }
  }

  /** Resets the failed login attempts of an account after a right code (docs/decisions/0013). */
  async giveAttemptsBack({ email }: User): Promise<void> {
    await this.counters.forget(throttleKey(AccountLimit.LoginPerAccount, email));
  }

  encrypted(userId: string, secret: string): string {
    return this.cipher.encrypt({ userId, secret });
  }

  /**
   * Returns the number of the 30-second period to which a code belongs, or undefined if the code is
   * wrong. Used before the user has confirmed the app, so the secret is not stored yet.
   */
  stepOf(secret: string, text: string): number | undefined {
    const code = typedCode(text);
    return code !== undefined && 'ofApp' in code
      ? stepOf(secret, code.ofApp, this.clock.seconds())
      : undefined;
  }

  /**
   * After a rotation of the session secret, encrypts the stored secrets of authenticator apps with
   * the new session secret. The operator can then remove the earlier session secret from the
   * configuration.
   */
  @Every(ENCRYPT_ANEW_EVERY_MS)
  async encryptAnew(): Promise<void> {
    const older = this.cipher.olderBeginnings.map((beginning) => ({
      secret: Like(`${beginning}%`),
    }));
    const factors = older.length > 0 ? await this.factors.find({ where: older }) : [];
    for (const factor of factors) {
      const { userId, secret } = factor;
      const plain = this.secretOf(factor);
      if (plain !== undefined) {
        await this.factors.update({ userId, secret }, { secret: this.encrypted(userId, plain) });
      }
    }
  }

  private async useOfApp(manager: EntityManager, userId: string, code: string): Promise<boolean> {
    const factors = manager.getRepository(SecondFactor);
    const factor = await factors.findOne({
      where: { userId },
      lock: { mode: 'for_no_key_update' },
    });
    const secret = factor === null ? undefined : this.secretOf(factor);
    if (factor === null || secret === undefined) {
      this.logger.warn(`the app of user ${userId} cannot be asked: only recovery codes count`);
      return false;
    }
    const step = stepOf(secret, code, this.clock.seconds());
    if (step === undefined || step <= factor.lastUsedStep) {
      return false;
    }
    await factors.update({ userId }, { lastUsedStep: step });
    return true;
  }

  private async useOfRecovery(
    manager: EntityManager,
    user: ActingUser,
    code: string,
  ): Promise<boolean> {
    const userId = user.id;
    const used = await manager.delete(RecoveryCode, { userId, codeHash: hashOf(code) });
    if (used.affected === 1) {
      this.logger.log(`user ${userId} used a recovery code`);
      await AuditRepository.in(manager).act(user, AuditKind.RecoveryCodeUsed);
    }
    return used.affected === 1;
  }

  /**
   * Decrypts the secret of an authenticator app. Returns undefined if the secret was encrypted with
   * a session secret that is no longer configured.
   */
  private secretOf({ userId, secret }: SecondFactor): string | undefined {
    const held = this.cipher.decrypt(secret);
    return isSecretOf(held, userId) ? held.secret : undefined;
  }
}

/**
 * Returns true if the decrypted value is the secret of this user. Returns false for a value that was copied from
 * another user's row.
 */
const isSecretOf = (held: unknown, userId: string): held is { readonly secret: string } =>
  typeof held === 'object' &&
  held !== null &&
  'secret' in held &&
  typeof held.secret === 'string' &&
  'userId' in held &&
  held.userId === userId;
