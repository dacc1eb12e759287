import 'express-session';

import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { EntityManager } from 'typeorm';

import { Database } from '../../platform/database/database.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { InvalidCredentialsError, InvalidOtpError } from '../auth.errors.js';
import { AuthenticationService } from '../authentication.service.js';
import { AuditKind } from '../entities/audit-kinds.js';
import { UNKNOWN_ORIGIN } from '../entities/origin.js';
import { RecoveryCode } from '../entities/recovery-code.entity.js';
import { SecondFactor } from '../entities/second-factor.entity.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { UserRepository } from '../user.repository.js';
import { newRecoveryCodes } from './one-time-codes.js';
import { SecondFactorRequirement } from './second-factor-requirement.js';
import { SecondFactors } from './second-factors.js';

declare module 'express-session' {
  interface SessionData {
    /** The secret of a second factor that the user is setting up. The user has not turned the second factor on yet. */
    newFactorSecret?: string;
  }
}

/** The credentials with which a user confirms a change of the second factor. */
interface Consent {
  readonly password: string;
  readonly otp: string;
}

/** The state of an active second factor, as the user sees it. */
interface SecondFactorState {
  readonly since: Date;
  readonly recoveryCodesLeft: number;
}

/**
 * Turns the second factor of a user on or off, and replaces recovery codes.
 * @throws InvalidCredentialsError if the password is wrong.
 * @throws InvalidOtpError if the code is wrong.
 */
@Injectable()
export class SecondFactorSettings {
  constructor(
    private readonly database: Database,
    private readonly authentication: AuthenticationService,
    private readonly secondFactors: SecondFactors,
    private readonly requirement: SecondFactorRequirement,
  ) {}

  /** Returns the state of the second factor. Returns undefined if the second factor is off. */
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

  /**
   * Turns the second factor on. Returns the recovery codes, which are shown once, or undefined if the second factor is
   * already on, or if another session has set up a required second factor in the meantime.
   */
  async turnOn(
    request: Request,
    user: User,
    { password, otp }: Consent,
  ): Promise<string[] | undefined> {
    const secret = request.session.newFactorSecret;
    const lastUsedStep = secret === undefined ? undefined : this.secondFactors.stepOf(secret, otp);
    return this.change(user, password, async (manager, locked) => {
      const isOn = await manager.existsBy(SecondFactor, { userId: user.id });
      if (isOn || (await this.requirement.stateOf(request, locked, manager)) === 'unproven') {
        return undefined;
      }
      if (secret === undefined || lastUsedStep === undefined) {
        throw new InvalidOtpError();
      }
      const encrypted = this.secondFactors.encrypted(user.id, secret);
      await manager.insert(SecondFactor, { userId: user.id, secret: encrypted, lastUsedStep });
      await AuditRepository.in(manager).act(user, AuditKind.SecondFactorOn);
      return replaceRecoveryCodes(manager, user.id);
    });
  }

  /**
   * Turns the second factor off. If the second factor is already off, throws InvalidOtpError for every code.
   * @throws ValidationFailedError if the user needs a second factor and has no passkey.
   */
  turnOff(user: User, consent: Consent): Promise<void> {
    return this.changeByCode(user, consent, async (manager, locked) => {
      await this.requirement.requireAnother(manager, locked);
      await manager.delete(SecondFactor, { userId: user.id });
      await AuditRepository.in(manager).act(user, AuditKind.SecondFactorOff);
    });
  }

  /** Replaces the user's recovery codes and returns the new recovery codes. */
  renewRecoveryCodes(user: User, consent: Consent): Promise<string[]> {
    return this.changeByCode(user, consent, async (manager) => {
      await AuditRepository.in(manager).act(user, AuditKind.RecoveryCodesRenewed);
      return replaceRecoveryCodes(manager, user.id);
    });
  }

  /**
   * Runs a change that needs a password and a code. Only a right code resets the counter of failed
   * attempts, so that a person who knows the password cannot guess codes without limit.
   */
  private async changeByCode<T>(
    user: User,
    { password, otp }: Consent,
    work: (manager: EntityManager, locked: User) => Promise<T>,
  ): Promise<T> {
    const done = await this.secondFactors.counted(user, () =>
      this.change(user, password, async (manager, locked) => {
        await this.secondFactors.use(manager, user, otp);
        return work(manager, locked);
      }),
    );
    await this.secondFactors.giveAttemptsBack(user);
    return done;
  }

  /**
   * Checks the password, locks the user, and runs the change.
   * @throws InvalidCredentialsError if the password is wrong, or if the user was signed out while this call ran.
   */
  private async change<T>(
    { email, origin = UNKNOWN_ORIGIN }: User,
    password: string,
    work: (manager: EntityManager, locked: User) => Promise<T>,
  ): Promise<T> {
    const user = await this.authentication.byPassword(email, password, origin);
    if (user === undefined) {
      throw new InvalidCredentialsError();
    }
    return this.database.transaction(async (manager) => {
      return work(manager, await UserRepository.in(manager).lockSignedIn(user));
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
