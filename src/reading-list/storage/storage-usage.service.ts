import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { ListRepository } from '../list/list.repository.js';
import { ListTransactions } from '../list-transactions.js';
import { measureStorage } from './measure-storage.js';

/** The number of bytes that a user stores, and the limit. */
export interface UsedStorage {
  readonly bytes: number;
  /** The limit in bytes. 0 means no limit. */
  readonly limit: number;
}

@Injectable()
export class StorageUsage {
  constructor(
    private readonly lists: ListRepository,
    private readonly transactions: ListTransactions,
    private readonly config: Config,
  ) {}

  /**
   * Returns the stored bytes of a user. Measures the list if its exact size is unknown.
   * @throws ServiceBusyError if too many calls of the user are queued
   */
  async of(userId: string): Promise<UsedStorage> {
    const { storageLimitBytes: limit } = this.config;
    const list = await this.lists.findOneBy({ userId });
    if (list === null) {
      return { bytes: 0, limit };
    }
    const { storedBytes, mayStoreLess } = list;
    const bytes =
      storedBytes === null || mayStoreLess
        ? await this.transactions.run(userId, (manager) => measureStorage(manager, userId))
        : Number(storedBytes);
    return { bytes, limit };
  }
}
