import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';

import { MAX_NAME_LENGTH, VISIBLE } from '../../lib/util/clean-text.js';
import { Clock } from '../../platform/common/clock.js';
import { Database } from '../../platform/database/database.js';
import {
  type ConsumerKeyDetails,
  ConsumerKeyRepository,
  type IssuedConsumerKey,
} from './consumer-key.repository.js';
import { ConsumerKeyNotFoundError } from './consumers.errors.js';
import { type ConsumerKey, Dialect } from './entities/consumer-key.entity.js';
import { ALL_PERMISSIONS } from './permission.js';

/** What an application can be called, without the space around it; undefined for what is no name. */
export function keyName(text: string): string | undefined {
  const name = text.trim();
  return VISIBLE.test(name) && name.length <= MAX_NAME_LENGTH && name.isWellFormed()
    ? name
    : undefined;
}

/** Makes, finds and changes the keys of applications; a change counts from the next call on. */
@Injectable()
export class ConsumerKeysService {
  constructor(
    private readonly database: Database,
    private readonly keys: ConsumerKeyRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * A new key, or the one that an application has compiled in. One transaction: a key that cannot be shown, because the
   * connection ends before it is read back, is not stored. Throws ConsumerKeyTakenError.
   */
  create(details: ConsumerKeyDetails, adopted?: string): Promise<IssuedConsumerKey> {
    return this.database.transaction((manager) =>
      manager.withRepository(this.keys).issue(details, { adopted }),
    );
  }

  /** A key with all permissions if there has never been one, so that a new service can be tried at once. */
  async createFirst(): Promise<IssuedConsumerKey | undefined> {
    const permissions = [...ALL_PERMISSIONS];
    return (await this.keys.wasNeverUsed())
      ? this.create({ name: 'First key', permissions, dialect: Dialect.Standard })
      : undefined;
  }

  /** The application that has this key, disabled or not. */
  find(key: string): Promise<ConsumerKey | null> {
    return this.keys.findByKey(key);
  }

  /** The enabled application that has this key; null for the personal key of a user. */
  findEnabledApplication(key: string): Promise<ConsumerKey | null> {
    return this.keys.findEnabledApplication(key);
  }

  /** Throws ConsumerKeyNotFoundError. */
  async findById(id: string): Promise<ConsumerKey> {
    const key = await this.keys.findOneBy({ id });
    if (key === null) {
      throw new ConsumerKeyNotFoundError(id);
    }
    return key;
  }

  /** The keys of applications. */
  list(): Promise<ConsumerKey[]> {
    return this.keys.find({ where: { ownerId: IsNull() }, order: { id: 'ASC' } });
  }

  /** The personal keys of all users, with their owners. */
  listPersonal(): Promise<ConsumerKey[]> {
    return this.keys.find({
      where: { ownerId: Not(IsNull()) },
      relations: { owner: true },
      order: { id: 'ASC' },
    });
  }

  /** Throws ConsumerKeyNotFoundError, as the following do; a reference is an id or the key itself. */
  update(reference: string, changes: Partial<ConsumerKeyDetails>): Promise<void> {
    return this.change(reference, (keys, id) => keys.update({ id }, changes));
  }

  /** A key that is disabled already keeps its time. */
  disable(reference: string): Promise<void> {
    return this.change(reference, (keys, id) =>
      keys.update({ id, disabledAt: IsNull() }, { disabledAt: this.clock.now() }),
    );
  }

  enable(reference: string): Promise<void> {
    return this.change(reference, (keys, id) => keys.update({ id }, { disabledAt: null }));
  }

  delete(reference: string): Promise<void> {
    return this.change(reference, (keys, id) => keys.delete({ id }));
  }

  private change(
    reference: string,
    work: (keys: ConsumerKeyRepository, id: string) => Promise<unknown>,
  ): Promise<void> {
    return this.database.transaction(async (manager) => {
      const keys = manager.withRepository(this.keys);
      const id = await keys.findId(reference);
      if (id === undefined || !(await keys.existsBy({ id }))) {
        throw new ConsumerKeyNotFoundError(reference);
      }
      await work(keys, id);
    });
  }
}
