import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';

import { MAX_NAME_LENGTH, VISIBLE } from '../../lib/util/clean-text.js';
import { Clock } from '../../platform/common/clock.js';
import { Database } from '../../platform/database/database.js';
import { AuditRepository } from '../audit/audit.repository.js';
import { AuditKind } from '../entities/audit-kinds.js';
import type { User } from '../entities/user.entity.js';
import {
  type ConsumerKeyDetails,
  ConsumerKeyRepository,
  type IssuedConsumerKey,
  type KeyOrigin,
} from './consumer-key.repository.js';
import { ConsumerKeyNotFoundError, KeyExpiredError } from './consumers.errors.js';
import { type ConsumerKey, Dialect } from './entities/consumer-key.entity.js';
import { isExpired } from './key-state.js';
import { ALL_PERMISSIONS } from './permission.js';

/** Returns the trimmed name of an application, or undefined if the name is invalid. */
export function keyName(text: string): string | undefined {
  const name = text.trim();
  return VISIBLE.test(name) && name.length <= MAX_NAME_LENGTH && name.isWellFormed()
    ? name
    : undefined;
}

/** A change of a key, and the administrator who makes it. Without an administrator, the operator makes the change. */
interface KeyAct {
  readonly kind: AuditKind;
  readonly by: User | 'service' | undefined;
}

interface NewKeyOptions extends Pick<KeyOrigin, 'validDays'> {
  /** A fixed key that an existing application contains in its code. */
  readonly adopted?: string | undefined;
  readonly by?: KeyAct['by'];
}

/**
 * Creates, finds and changes the consumer keys of applications. A change takes effect with the next
 * call of the application.
 */
@Injectable()
export class ConsumerKeysService {
  constructor(
    private readonly database: Database,
    private readonly keys: ConsumerKeyRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a key, or stores a fixed key that an existing application contains in its code. Runs in
   * a transaction, so that a key is not stored if the connection ends before the key can be shown.
   * @throws ConsumerKeyTakenError if the key exists already.
   */
  create(
    details: ConsumerKeyDetails,
    { adopted, by, validDays }: NewKeyOptions = {},
  ): Promise<IssuedConsumerKey> {
    return this.database.transaction(async (manager) => {
      const issued = await ConsumerKeyRepository.in(manager).issue(details, { adopted, validDays });
      await recordChange(manager, issued.stored, { by, kind: AuditKind.KeyCreated });
      return issued;
    });
  }

  /**
   * Creates a key with all permissions on a new installation, so that the service can be used
   * immediately. Does nothing if there has ever been a key.
   */
  async createFirst(): Promise<IssuedConsumerKey | undefined> {
    const permissions = [...ALL_PERMISSIONS];
    return (await this.keys.wasNeverUsed())
      ? this.create(
          { name: 'First key', permissions, dialect: Dialect.Standard },
          { by: 'service' },
        )
      : undefined;
  }

  /** Returns the enabled or disabled application with this key. */
  find(key: string): Promise<ConsumerKey | null> {
    return this.keys.findByKey(key);
  }

  /** Returns the application with this key. Returns null for a disabled, expired or personal key. */
  findEnabledApplication(key: string): Promise<ConsumerKey | null> {
    return this.keys.findEnabledApplication(key);
  }

  /** @throws ConsumerKeyNotFoundError if no key has this id. */
  async findById(id: string): Promise<ConsumerKey> {
    const key = await this.keys.findOneBy({ id });
    if (key === null) {
      throw new ConsumerKeyNotFoundError(id);
    }
    return key;
  }

  /** Returns the keys of all applications, without the personal keys of users. */
  list(): Promise<ConsumerKey[]> {
    return this.keys.find({ where: { ownerId: IsNull() }, order: { id: 'ASC' } });
  }

  /** Returns the personal keys of all users, each with its owner. */
  listPersonal(): Promise<ConsumerKey[]> {
    return this.keys.find({
      where: { ownerId: Not(IsNull()) },
      relations: { owner: true },
      order: { id: 'ASC' },
    });
  }

  /**
   * Changes a key. `reference` is the id of the key or the key itself.
   * @throws ConsumerKeyNotFoundError if no key matches the reference.
   */
  update(reference: string, changes: Partial<ConsumerKeyDetails>, by?: User): Promise<void> {
    return this.change(reference, { by, kind: AuditKind.KeyChanged }, (keys, id) =>
      keys.update({ id }, changes),
    );
  }

  /** Disables a key. A key that is already disabled keeps the time at which it was disabled. */
  disable(reference: string, by?: User): Promise<void> {
    return this.change(reference, { by, kind: AuditKind.KeyDisabled }, (keys, id) =>
      keys.update({ id, disabledAt: IsNull() }, { disabledAt: this.clock.now() }),
    );
  }

  /** @throws KeyExpiredError if the key has expired, because it would still not work */
  enable(reference: string, by?: User): Promise<void> {
    return this.change(reference, { by, kind: AuditKind.KeyEnabled }, async (keys, id) => {
      if (isExpired(await keys.findOneByOrFail({ id }), this.clock.now())) {
        throw new KeyExpiredError();
      }
      await keys.update({ id }, { disabledAt: null });
    });
  }

  delete(reference: string, by?: User): Promise<void> {
    return this.change(reference, { by, kind: AuditKind.KeyRevoked }, (keys, id) =>
      keys.delete({ id }),
    );
  }

  private change(
    reference: string,
    act: KeyAct,
    work: (keys: ConsumerKeyRepository, id: string) => Promise<unknown>,
  ): Promise<void> {
    return this.database.transaction(async (manager) => {
      const keys = ConsumerKeyRepository.in(manager);
      const id = await keys.findId(reference);
      const key = id === undefined ? null : await keys.findOneBy({ id });
      if (key === null) {
        throw new ConsumerKeyNotFoundError(reference);
      }
      await work(keys, key.id);
      await recordChange(manager, key, act);
    });
  }
}

const recordChange = (
  manager: EntityManager,
  { id, name, ownerId }: ConsumerKey,
  { by, kind }: KeyAct,
): Promise<void> =>
  AuditRepository.in(manager).administer({
    kind,
    by,
    ...(ownerId !== null && { userId: ownerId }),
    details: { key: id, name },
  });
