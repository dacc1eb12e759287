import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

import { clean, cut, withoutControls } from '../../lib/util/clean-text.js';
import { textOf } from '../../platform/common/request-fields.js';
import { Config } from '../../platform/config/config.js';
import { violates } from '../../platform/database/database.errors.js';
import { Database } from '../../platform/database/database.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { AuditKind } from '../entities/audit-kinds.js';
import { Passkey } from '../entities/passkey.entity.js';
import type { User } from '../entities/user.entity.js';
import { SecondFactorRequirement } from '../second-factor/second-factor-requirement.js';
import { deviceOf } from '../session/device.js';
import { UserRepository } from '../user.repository.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { userHandleOf } from './passkey-handles.js';
import { newPasskeyIn, transportsIn } from './passkey-responses.js';
import { passkeySite } from './passkey-site.js';
import { type CredentialDescriptor, Passkeys, TIMEOUT_MS } from './passkeys.js';
import { ALGORITHMS, newCredentialOf } from './verify-passkey.js';

export const MOST_PASSKEYS = 20;
export const MAX_PASSKEY_NAME = 60;

/** The request with which the browser creates a passkey, as JSON (WebAuthn Level 3, section 5.4). */
interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: readonly { readonly type: 'public-key'; readonly alg: number }[];
  readonly timeout: number;
  readonly excludeCredentials: readonly CredentialDescriptor[];
  readonly authenticatorSelection: {
    readonly residentKey: 'required';
    readonly requireResidentKey: true;
    readonly userVerification: 'required';
  };
  readonly attestation: 'none';
}

/** The result of a new passkey: added, refused because the answer is invalid, or the user has too many passkeys. */
type Addition = 'added' | 'refused' | 'full';

/** Lists, adds, renames and removes the passkeys of a user. */
@Injectable()
export class PasskeySettings {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly passkeys: Passkeys,
    private readonly challenges: PasskeyChallenges,
    private readonly config: Config,
    private readonly requirement: SecondFactorRequirement,
  ) {}

  /** True if users may have passkeys. Without passwords, only the issuer or the proxy decides who may log in. */
  get areAllowed(): boolean {
    return this.config.passwordLogin;
  }

  /** Returns the passkeys of a user, the oldest first. */
  list({ id: userId }: User): Promise<Passkey[]> {
    return this.database.manager.find(Passkey, { where: { userId }, order: { id: 'ASC' } });
  }

  /** Returns the request for a new passkey. Returns undefined if the service has no name in the network. */
  async requestFor(request: Request, user: User): Promise<CreationOptions | undefined> {
    const site = passkeySite(request, this.config.publicUrl);
    return (
      site && {
        challenge: this.challenges.create(request, { purpose: 'add', userId: user.id }),
        rp: { id: site.domain, name: 'Satchel' },
        user: { id: userHandleOf(user), name: user.email, displayName: user.name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        timeout: TIMEOUT_MS,
        excludeCredentials: await this.passkeys.describe(user),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      }
    );
  }

  /** Adds the passkey in the field `credential`, with the name in the field `name`. */
  async add(request: Request, user: User): Promise<Addition> {
    const sent = textOf(request.body, 'credential');
    const answer = newPasskeyIn(sent);
    const site = passkeySite(request, this.config.publicUrl);
    const use = { purpose: 'add', userId: user.id } as const;
    const isChallenge = (text: string): boolean => this.challenges.isValid(request, text, use);
    const created = answer && site && (await newCredentialOf(answer, { site, isChallenge }));
    if (created === undefined) {
      return 'refused';
    }
    return this.store(
      { request, user, challenge: created.challenge },
      {
        userId: user.id,
        credentialId: Buffer.from(created.id, 'base64url'),
        publicKey: Buffer.from(created.publicKey),
        counter: String(created.counter),
        transports: transportsIn(sent),
        name: nameIn(request.body) || deviceOf(request),
      },
    );
  }

  /** Renames a passkey of the user. Ignores an empty name, and the passkey of another user. */
  async rename({ id: userId }: User, id: string, body: unknown): Promise<void> {
    const name = nameIn(body);
    if (name !== '') {
      await this.database.manager.update(Passkey, { id, userId }, { name });
    }
  }

  /**
   * Removes a passkey of the user. Ignores the passkey of another user.
   * @throws ValidationFailedError if the user needs a second factor, and this passkey is the only one.
   */
  async remove(user: User, id: string): Promise<void> {
    await this.database.transaction(async (manager) => {
      const locked = await UserRepository.in(manager).lockSignedIn(user);
      const passkey = await manager.findOneBy(Passkey, { id, userId: user.id });
      if (passkey !== null) {
        await this.requirement.requireAnother(manager, locked);
        await manager.delete(Passkey, { id });
        const { name } = passkey;
        await AuditRepository.in(manager).act(user, AuditKind.PasskeyRemoved, { name });
      }
    });
  }

  /** Refuses the passkey if another session has set up a required second factor in the meantime. */
  private async store(
    { request, user, challenge }: { request: Request; user: User; challenge: string },
    passkey: Omit<Passkey, 'id' | 'user' | 'createdAt' | 'lastUsedAt'>,
  ): Promise<Addition> {
    try {
      return await this.database.transaction(async (manager) => {
        const locked = await UserRepository.in(manager).lockSignedIn(user);
        if ((await this.requirement.stateOf(request, locked, manager)) === 'unproven') {
          return 'refused';
        }
        if ((await manager.countBy(Passkey, { userId: user.id })) >= MOST_PASSKEYS) {
          return 'full';
        }
        if (!(await this.challenges.spend(manager, challenge))) {
          return 'refused';
        }
        await manager.insert(Passkey, passkey);
        const { name } = passkey;
        await AuditRepository.in(manager).act(user, AuditKind.PasskeyAdded, { name });
        return 'added';
      });
    } catch (error) {
      if (violates(error, 'passkeys_credential_id_key')) {
        return 'refused';
      }
      throw error;
    }
  }
}

const nameIn = (body: unknown): string =>
  cut(withoutControls(clean(textOf(body, 'name'))).trim(), MAX_PASSKEY_NAME);
