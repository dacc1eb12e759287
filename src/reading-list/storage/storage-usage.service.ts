import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { ListRepository } from '../list/list.repository.js';
import { ListTransactions } from '../list-transactions.js';
import { measureStorage } from './measure-storage.js';

/** How much a user stores, and may store. */
export interface UsedStorage {
  readonly bytes: number;
  /** 0 is without limit. */
  readonly limit: number;
}

/** How much a user stores. */
@Injectable()
export class StorageUsage {
  constructor(
    private readonly lists: ListRepository,
    private readonly transactions: ListTransactions,
    private readonly config: Config,
  ) {}

  /** Measures the list unless its size is known exactly. Throws ServiceBusyError. */
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
