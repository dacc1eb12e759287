import { randomBytes, timingSafeEqual } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import type { User } from '../entities/user.entity.js';
import { hashOf } from '../opaque-token.js';
import { ConsumerKeyRepository, type KeyOrigin } from './consumer-key.repository.js';
import { ConsumerKeyNotFoundError } from './consumers.errors.js';
import { type ConsumerKey, Dialect, KeyKind } from './entities/consumer-key.entity.js';
import { GrantRepository } from './grant.repository.js';
import { type PersonalKeyDetails, PersonalKeysService } from './personal-keys.service.js';

const SECRET_BYTES = 20;

/** What a person types into a wallabag client; the secret is shown once and stored nowhere. */
export interface IssuedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly stored: ConsumerKey;
}

/** The wallabag clients of users, and those that all users share (docs/api/wallabag.md). */
@Injectable()
export class ClientsService {
  constructor(
    private readonly database: Database,
    private readonly keys: ConsumerKeyRepository,
    private readonly grants: GrantRepository,
    private readonly personalKeys: PersonalKeysService,
  ) {}

  /**
   * A client that acts for this user alone. Its grant begins with it, so that the user sees it before the first login.
   * Throws what PersonalKeysService.make throws.
   */
  create(user: User, details: PersonalKeyDetails): Promise<IssuedClient> {
    const { clientSecret, origin } = newSecret();
    return this.personalKeys.make(user, details, origin, async (manager, { key, stored }) => {
      await manager.withRepository(this.grants).issue(user.id, stored.id);
      return { clientId: key, clientSecret, stored };
    });
  }

  /** A client that acts for every user who logs in with it. */
  createShared(details: PersonalKeyDetails): Promise<IssuedClient> {
    const { clientSecret, origin } = newSecret();
    return this.database.transaction(async (manager) => {
      const keys = manager.withRepository(this.keys);
      const { key, stored } = await keys.issue({ ...details, dialect: Dialect.Standard }, origin);
      return { clientId: key, clientSecret, stored };
    });
  }

  /** The enabled client that has this id and this secret. */
  async authenticate(clientId: string, clientSecret: string): Promise<ConsumerKey | undefined> {
    const client = await this.keys.findEnabledClient(clientId);
    const secretHash = client?.secretHash ?? null;
    const isRight = secretHash !== null && timingSafeEqual(secretHash, hashOf(clientSecret));
    return isRight ? (client ?? undefined) : undefined;
  }

  /** All clients, with the owners of the personal ones. */
  list(): Promise<ConsumerKey[]> {
    return this.keys.find({
      where: { kind: KeyKind.Client },
      relations: { owner: true },
      order: { id: 'ASC' },
    });
  }

  /** The id of a client that is given by its number or its client id. Throws ConsumerKeyNotFoundError. */
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
