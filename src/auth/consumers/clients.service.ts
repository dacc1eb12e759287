import { randomBytes, timingSafeEqual } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { AuditKind } from '../entities/audit-kinds.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { ConsumerKeyRepository, type KeyOrigin } from './consumer-key.repository.js';
import { ConsumerKeyNotFoundError } from './consumers.errors.js';
import { type ConsumerKey, Dialect, KeyKind } from './entities/consumer-key.entity.js';
import { GrantRepository } from './grant.repository.js';
import { type PersonalKeyDetails, PersonalKeysService } from './personal-keys.service.js';

const SECRET_BYTES = 20;

/**
 * The credentials that a person types into an app made for wallabag. The secret is shown once, and only its hash is
 * stored.
 */
export interface IssuedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly stored: ConsumerKey;
}

/** Manages the credentials of apps made for wallabag, for one user or for all users (docs/api/wallabag.md). */
@Injectable()
export class ClientsService {
  constructor(
    private readonly database: Database,
    private readonly keys: ConsumerKeyRepository,
    private readonly personalKeys: PersonalKeysService,
  ) {}

  /**
   * Creates a client that can act only for this user. Also creates a grant, so that the client is
   * listed before its first login. Throws the errors of PersonalKeysService.make.
   */
  create(user: User, details: PersonalKeyDetails): Promise<IssuedClient> {
    const { clientSecret, origin } = newSecret();
    return this.personalKeys.make(user, details, origin, async (manager, { key, stored }) => {
      await GrantRepository.in(manager).issue(user.id, stored.id);
      return { clientId: key, clientSecret, stored };
    });
  }

  /** Creates a client that every user can log in with. */
  createShared(details: PersonalKeyDetails): Promise<IssuedClient> {
    const { clientSecret, origin } = newSecret();
    return this.database.transaction(async (manager) => {
      const keys = ConsumerKeyRepository.in(manager);
      const { validDays, ...named } = details;
      const shared = { ...named, dialect: Dialect.Standard };
      const { key, stored } = await keys.issue(shared, { ...origin, validDays });
      const recorded = { key: stored.id, name: stored.name };
      const act = { kind: AuditKind.KeyCreated, by: undefined, details: recorded };
      await AuditRepository.in(manager).administer(act);
      return { clientId: key, clientSecret, stored };
    });
  }

  /** Returns the client with this id and secret. Returns undefined for wrong credentials, and for a disabled or expired client. */
  async authenticate(clientId: string, clientSecret: string): Promise<ConsumerKey | undefined> {
    const client = await this.keys.findEnabledClient(clientId);
    const secretHash = client?.secretHash ?? null;
    const isRight = secretHash !== null && timingSafeEqual(secretHash, hashOf(clientSecret));
    return isRight ? (client ?? undefined) : undefined;
  }

  /** Returns all clients. A client that only one user can use has this user as its `owner`. */
  list(): Promise<ConsumerKey[]> {
    return this.keys.find({
      where: { kind: KeyKind.Client },
      relations: { owner: true },
      order: { id: 'ASC' },
    });
  }

  /**
   * Returns the id of a client. `reference` is the id itself, or the client id that the app sends.
   * @throws ConsumerKeyNotFoundError if no client matches.
   */
  async idOf(reference: string): Promise<string> {
    const id = await this.keys.findId(reference);
    const isClient = id !== undefined && (await this.keys.existsBy({ id, kind: KeyKind.Client }));
    if (!isClient) {
      throw new ConsumerKeyNotFoundError(reference);
    }
    return id;
  }
}

function newSecret(): { clientSecret: string; origin: Pick<KeyOrigin, 'kind' | 'secretHash'> } {
  const clientSecret = randomBytes(SECRET_BYTES).toString('hex');
  return { clientSecret, origin: { kind: KeyKind.Client, secretHash: hashOf(clientSecret) } };
}
