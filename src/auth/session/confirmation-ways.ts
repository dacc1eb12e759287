import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { AccountsService } from '../accounts.service.js';
import { Identity } from '../entities/identity.entity.js';
import type { User } from '../entities/user.entity.js';
import { Passkeys } from '../passkeys/passkeys.js';
import { SecondFactors } from '../second-factor/second-factors.js';

/** The ways in which a user can prove the identity again. */
export interface ConfirmationWays {
  readonly byPassword: boolean;
  /** True if the user must also enter a code of the second factor, or only the code without `byPassword`. */
  readonly byCode: boolean;
  /** True if the user can log in again with the issuer, instead of the other ways. */
  readonly byIssuer: boolean;
  /** True if the user can use a passkey, instead of the other ways. */
  readonly byPasskey: boolean;
}

/** Determines the ways in which users can prove their identity again (docs/decisions/0128). */
@Injectable()
export class ConfirmationWaysOfUsers {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsService,
    private readonly secondFactors: SecondFactors,
    private readonly passkeys: Passkeys,
    private readonly config: Config,
  ) {}

  async of(user: User): Promise<ConfirmationWays> {
    const byPassword = this.accounts.hasPassword(user);
    const byIssuer = await this.hasIdentity(user);
    // A code without a password proves less than a login with the issuer.
    const mayUseCode = byPassword || !byIssuer;
    const byCode = mayUseCode && (await this.secondFactors.isOn(user));
    const byPasskey = await this.passkeys.has(user);
    return { byPassword, byCode, byIssuer, byPasskey };
  }

  /** Identities of an earlier issuer do not count: its logins are refused. */
  private async hasIdentity({ id: userId }: User): Promise<boolean> {
    const { issuer } = this.config;
    return (
      issuer !== undefined &&
      (await this.database.manager.existsBy(Identity, {
        userId,
        issuer: In(spellingsOf(issuer.address)),
      }))
    );
  }
}

/** Issuers with and without a slash at the end are configured alike. */
const spellingsOf = (issuer: URL): string[] => [issuer.href, issuer.href.replace(/\/$/, '')];
