import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Database } from '../../platform/database/database.js';
import { InvalidCredentialsError, InvalidOtpError } from '../auth.errors.js';
import { AuthenticationService } from '../authentication.service.js';
import { RecoveryCode } from '../entities/recovery-code.entity.js';
import { SecondFactor } from '../entities/second-factor.entity.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { UserRepository } from '../user.repository.js';
import { newRecoveryCodes } from './one-time-codes.js';
import { SecondFactors } from './second-factors.js';

/** What proves that the user wants the change. */
interface Consent {
  readonly password: string;
  readonly otp: string;
}

/** What the user sees of a second factor that is on. */
interface SecondFactorState {
  readonly since: Date;
  readonly recoveryCodesLeft: number;
}

/** What users do to their second factor. Each change throws InvalidCredentialsError, InvalidOtpError. */
@Injectable()
export class SecondFactorSettings {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly authentication: AuthenticationService,
    private readonly secondFactors: SecondFactors,
  ) {}

  /** Undefined where it is off. */
  async stateOf({ id: userId }: User): Promise<SecondFactorState | undefined> {
    const { manager } = this.database;
    const factor = await manager.findOneBy(SecondFactor, { userId });
    return factor === null
      ? undefined
      : {
          since: factor.confirmedAt,
          recoveryCodesLeft: await manager.countBy(RecoveryCode, { userId }),
        };
  }

  /** Gives the recovery codes, which are shown once; undefined where the second factor is on already. */
  async turnOn(
    user: User,
    secret: string | undefined,
    { password, otp }: Consent,
  ): Promise<string[] | undefined> {
    const lastUsedStep = secret === undefined ? undefined : this.secondFactors.stepOf(secret, otp);
    return this.change(user, password, async (manager) => {
      if (await manager.existsBy(SecondFactor, { userId: user.id })) {
        return undefined;
      }
      if (secret === undefined || lastUsedStep === undefined) {
        throw new InvalidOtpError();
      }
      const encrypted = this.secondFactors.encrypted(user.id, secret);
      await manager.insert(SecondFactor, { userId: user.id, secret: encrypted, lastUsedStep });
      return replaceRecoveryCodes(manager, user.id);
    });
  }

  /** If it is off already, every code is refused. */
  turnOff(user: User, consent: Consent): Promise<void> {
    return this.changeByCode(user, consent, async (manager) => {
      await manager.delete(SecondFactor, { userId: user.id });
    });
  }

  /** The old ones count no more. */
  renewRecoveryCodes(user: User, consent: Consent): Promise<string[]> {
    return this.changeByCode(user, consent, (manager) => replaceRecoveryCodes(manager, user.id));
  }

  /** A right code gives the attempts back, and nothing else does: who knows the password could guess without end. */
  private async changeByCode<T>(
    user: User,
    { password, otp }: Consent,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const done = await this.change(user, password, async (manager) => {
      await this.secondFactors.use(manager, user, otp);
      return work(manager);
    });
    await this.secondFactors.giveAttemptsBack(user);
    return done;
  }

  /** With the user locked, after the password; a sign-out in the meantime ends it. */
  private async change<T>(
    { email }: User,
    password: string,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const user = await this.authentication.byPassword(email, password);
    if (user === undefined) {
      throw new InvalidCredentialsError();
    }
    return this.database.transaction(async (manager) => {
      await manager.withRepository(this.users).lockSignedIn(user);
      return work(manager);
    });
  }
}

async function replaceRecoveryCodes(manager: EntityManager, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await manager.delete(RecoveryCode, { userId });
  await manager.insert(
    RecoveryCode,
    codes.map((code) => ({ userId, codeHash: hashOf(code.replaceAll('-', '')) })),
  );
  return codes;
}
