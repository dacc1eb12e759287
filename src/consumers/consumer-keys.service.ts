import { Injectable } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { Database } from '../database/database.js';
import {
  type ConsumerKeyDetails,
  ConsumerKeyStore,
  type IssuedConsumerKey,
} from './consumer-key.store.js';
import { ConsumerKeyNotFoundError } from './consumers.errors.js';
import { Dialect } from './dialect.js';
import type { ConsumerKey } from './entities/consumer-key.entity.js';
import { ALL_PERMISSIONS } from './permission.js';

/** Makes, finds and changes the keys of applications; a change counts from the next call on. */
@Injectable()
export class ConsumerKeysService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  create(details: ConsumerKeyDetails): Promise<IssuedConsumerKey> {
    return this.database.write((manager) => new ConsumerKeyStore(manager).insert(details));
  }

  /** Lets an application in by the key that it has compiled in. Throws ConsumerKeyTakenError. */
  adopt(details: ConsumerKeyDetails, key: string): Promise<IssuedConsumerKey> {
    return this.database.write((manager) => new ConsumerKeyStore(manager).adopt(details, key));
  }

  /** A key with all permissions if there has never been one, so that a new service can be tried at once. */
  createFirst(): Promise<IssuedConsumerKey | undefined> {
    return this.database.write(async (manager) => {
      const keys = new ConsumerKeyStore(manager);
      return (await keys.wasNeverUsed())
        ? keys.insert({
            name: 'First key',
            permissions: [...ALL_PERMISSIONS],
            dialect: Dialect.Standard,
          })
        : undefined;
    });
  }

  /** The enabled application that has this key. */
  findEnabled(key: string): Promise<ConsumerKey | null> {
    return this.database.read((manager) => new ConsumerKeyStore(manager).findEnabled(key));
  }

  list(): Promise<ConsumerKey[]> {
    return this.database.read((manager) => new ConsumerKeyStore(manager).list());
  }

  /** Throws ConsumerKeyNotFoundError, as the following do; a reference is an id or the key itself. */
  update(reference: string, changes: Partial<ConsumerKeyDetails>): Promise<void> {
    return this.change(reference, (keys, id) => keys.update(id, changes));
  }

  disable(reference: string): Promise<void> {
    return this.change(reference, (keys, id) => keys.disable(id, this.clock.now()));
  }

  enable(reference: string): Promise<void> {
    return this.change(reference, (keys, id) => keys.update(id, { disabledAt: null }));
  }

  delete(reference: string): Promise<void> {
    return this.change(reference, (keys, id) => keys.delete(id));
  }

  private async change(
    reference: string,
    work: (keys: ConsumerKeyStore, id: string) => Promise<boolean>,
  ): Promise<void> {
    const isFound = await this.database.write(async (manager) => {
      const keys = new ConsumerKeyStore(manager);
      const id = await keys.findId(reference);
      return id !== undefined && (await work(keys, id));
    });
    if (!isFound) {
      throw new ConsumerKeyNotFoundError(reference);
    }
  }
}
