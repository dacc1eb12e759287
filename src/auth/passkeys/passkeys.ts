import { Injectable, Logger } from '@nestjs/common';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Request } from 'express';

import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { AuditRepository } from '../audit/audit.repository.js';
import type { Origin } from '../entities/origin.js';
import { Passkey } from '../entities/passkey.entity.js';
import type { User } from '../entities/user.entity.js';
import { originOf } from '../session/device.js';
import { PasskeyChallenges, type PasskeyPurpose } from './passkey-challenges.js';
import { userHandleOf } from './passkey-handles.js';
import { assertionIn } from './passkey-responses.js';
import { passkeySite } from './passkey-site.js';
import { NOTE_USE } from './passkeys.sql.js';
import { checkAnswer, NO_KEY, type SignedAnswer } from './verify-passkey.js';

/** A use of a passkey. `user` is undefined for a login, in which the passkey names the user. */
export interface PasskeyUse {
  readonly purpose: Exclude<PasskeyPurpose, 'add'>;
  readonly user?: User;
}

/** The request that the browser passes to the authenticator, as JSON (WebAuthn Level 3, section 5.5). */
interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly timeout: number;
  readonly userVerification: 'required' | 'discouraged';
  readonly allowCredentials: readonly CredentialDescriptor[];
}

export interface CredentialDescriptor {
  readonly type: 'public-key';
  readonly id: string;
  readonly transports: readonly string[];
}

export const TIMEOUT_MS = 5 * 60 * 1000;

interface SentAnswer {
  readonly answer: AuthenticationResponseJSON;
  /** The passkey that the answer names. Undefined if it is unknown. */
  readonly passkey: Passkey | undefined;
}

/** The result of a check. A counter that has regressed is already recorded in the audit log. */
type Outcome = 'used' | 'refused' | 'regressed';

/** Checks the passkeys with which users log in (docs/decisions/0132). */
@Injectable()
export class Passkeys {
  private readonly logger = new Logger(Passkeys.name);

  constructor(
    private readonly database: Database,
    private readonly challenges: PasskeyChallenges,
    private readonly audit: AuditRepository,
    private readonly config: Config,
  ) {}

  /** Returns true if the user has a passkey, and passkeys are allowed. */
  async has({ id: userId }: Pick<User, 'id'>): Promise<boolean> {
    return this.config.passwordLogin && (await this.database.manager.existsBy(Passkey, { userId }));
  }

  /** Returns the request for the authenticator. Returns undefined if the service has no name in the network. */
  async requestFor(
    request: Request,
    { purpose, user }: PasskeyUse,
  ): Promise<RequestOptions | undefined> {
    const site = passkeySite(request, this.config.publicUrl);
    return (
      site && {
        challenge: this.challenges.create(request, { purpose, userId: user?.id }),
        rpId: site.domain,
        timeout: TIMEOUT_MS,
        userVerification: mustVerifyUser(purpose) ? 'required' : 'discouraged',
        allowCredentials: user === undefined ? [] : await this.describe(user),
      }
    );
  }

  /** Lists the passkeys of a user, so that browsers offer only these. */
  async describe({ id: userId }: User): Promise<CredentialDescriptor[]> {
    const passkeys = await this.database.manager.findBy(Passkey, { userId });
    return passkeys.map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId.toString('base64url'),
      transports,
    }));
  }

  /**
   * Checks the answer of a passkey in the field `credential`, and marks its challenge as used. Returns the passkey with
   * its user. Returns undefined if the answer is refused. A refused answer is stored in the audit log.
   */
  async use(request: Request, use: PasskeyUse): Promise<Passkey | undefined> {
    const answer = assertionIn(textOf(request.body, 'credential'));
    const passkey = answer && (await this.find(answer.id));
    const outcome = answer && (await this.check(request, use, { answer, passkey }));
    const origin = originOf(request);
    if (passkey !== undefined && outcome === 'used') {
      passkey.user.origin = origin;
      return passkey;
    }
    if (outcome !== 'regressed') {
      await this.audit.refuse(accountOf(use, passkey), origin);
    }
    return undefined;
  }

  private async find(id: string): Promise<Passkey | undefined> {
    // Uses `find`, because TypeORM's `findOne` would run two statements for a query with a join.
    const [passkey] = await this.database.manager.find(Passkey, {
      where: { credentialId: Buffer.from(id, 'base64url') },
      relations: { user: true },
    });
    return passkey;
  }

  /** Checks the signature even if the passkey is unknown or belongs to another user, so that all refusals take as long. */
  private async check(
    request: Request,
    { purpose, user }: PasskeyUse,
    { answer, passkey }: SentAnswer,
  ): Promise<Outcome> {
    const site = passkeySite(request, this.config.publicUrl);
    if (site === undefined) {
      return 'refused';
    }
    const use = { purpose, userId: user?.id };
    const signed = await checkAnswer(answer, new Uint8Array(passkey?.publicKey ?? NO_KEY), {
      site,
      isChallenge: (challenge) => this.challenges.isValid(request, challenge, use),
      mustVerifyUser: mustVerifyUser(purpose),
    });
    if (signed === undefined || passkey === undefined) {
      return 'refused';
    }
    const { userHandle } = answer.response;
    return isOf(passkey, user, userHandle)
      ? this.spend(passkey, signed, originOf(request))
      : 'refused';
  }

  /** Stores the use of a passkey. A counter that does not grow shows that the authenticator may have been copied. */
  private spend(
    passkey: Passkey,
    { challenge, counter }: SignedAnswer,
    origin: Origin,
  ): Promise<Outcome> {
    const { id } = passkey;
    return this.database.transaction(async (manager) => {
      if (!(await this.challenges.spend(manager, challenge))) {
        return 'refused';
      }
      if ((await queryRows(manager, NOTE_USE, [id, counter])).length === 1) {
        return 'used';
      }
      if (!(await manager.existsBy(Passkey, { id }))) {
        return 'refused';
      }
      this.logger.warn(`passkey ${id} is refused: its counter ${counter} has not grown`);
      await AuditRepository.in(manager).refusePasskey(passkey, origin);
      return 'regressed';
    });
  }
}

/** Returns the id of the account to which the login was refused. Returns null if the account is unknown. */
const accountOf = ({ user }: PasskeyUse, passkey: Passkey | undefined): string | null =>
  user?.id ?? passkey?.userId ?? null;

/** After a password, the passkey need not verify its user by a fingerprint or a PIN. */
const mustVerifyUser = (purpose: PasskeyPurpose): boolean => purpose !== 'code';

/**
 * Returns true if the passkey belongs to an enabled account, and to the expected user. An authenticator that chooses
 * the account must also return its handle (WebAuthn Level 3, section 7.2).
 */
function isOf(passkey: Passkey, expected: User | undefined, handle: string | undefined): boolean {
  const { user, userId } = passkey;
  return (
    user.disabledAt === null &&
    (expected === undefined
      ? handle === userHandleOf(user)
      : userId === expected.id && (handle ?? userHandleOf(user)) === userHandleOf(user))
  );
}
