import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { ListRepository } from '../list/list.repository.js';
import { ListTransactions } from '../list-transactions.js';
import { measureStorage } from './measure-storage.js';
import { PICTURE_USAGE } from './storage.sql.js';

/** The stored pictures of a user. */
interface PictureUsage {
  /** The part of the stored bytes that pictures of articles occupy. */
  readonly pictureBytes: number;
  /** True if new pictures are not stored, because the storage of the user has no room for them. */
  readonly isFullForPictures: boolean;
}

/** The number of bytes that a user stores, and the limit. */
export interface UsedStorage extends PictureUsage {
  readonly bytes: number;
  /** The limit in bytes. 0 means no limit. */
  readonly limit: number;
}

const NO_PICTURES: PictureUsage = { pictureBytes: 0, isFullForPictures: false };

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
      return { bytes: 0, limit, ...NO_PICTURES };
    }
    const { storedBytes, mayStoreLess } = list;
    const bytes =
      storedBytes === null || mayStoreLess
        ? await this.transactions.run(userId, (manager) => measureStorage(manager, userId))
        : Number(storedBytes);
    const [pictures] = await queryRows<PictureUsage>(this.lists.manager, PICTURE_USAGE, [userId]);
    return { bytes, limit, ...(pictures ?? NO_PICTURES) };
  }
}
