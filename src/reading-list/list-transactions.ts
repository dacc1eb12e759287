import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';

import { Clock } from '../platform/common/clock.js';
import { DomainError, ServiceBusyError } from '../platform/common/common.errors.js';
import { databaseErrorCode } from '../platform/database/database.errors.js';
import { Database } from '../platform/database/database.js';
import { ListRepository } from './list/list.repository.js';
import { measureStorage } from './storage/measure-storage.js';
import { StorageUnmeasuredError } from './storage/storage-room.js';
import { moveTags } from './tag-moves/move-tags.js';
import { TagsMovingError } from './tag-moves/tag-move.repository.js';
import { UserQueue } from './user-queue.js';

/** In the database, the lock of the list lets one change it at a time. */
const ONE_AT_A_TIME = { concurrency: 1, maxCalls: 64 };

const REMEMBERED = 10_000;

/** How often a change begins anew because another client has renamed one of its tags meanwhile. */
const MOST_ATTEMPTS = 5;

/** So many failures of one list in a row are no passing state of the database: an operator has to look. */
const LASTING_FAILURES = 3;

/** The transactions that change lists: one of each user at a time. */
@Injectable()
export class ListTransactions {
  private readonly logger = new Logger(ListTransactions.name);
  private readonly queue = new UserQueue(ONE_AT_A_TIME);
  private readonly begun = new LRUCache<string, true>({ max: REMEMBERED });
  /** How often the tags of a list have failed to arrive since they last did. */
  private readonly failures = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lists: ListRepository,
  ) {}

  /**
   * The work gets the present in unix seconds, the same for everything in it. It is done again, once no tag is on its
   * way any more, when it throws TagsMovingError, and once the list is measured, when it throws StorageUnmeasuredError.
   * Throws ServiceBusyError, also where tags are renamed again and again, or cannot arrive.
   */
  async run<T>(
    userId: string,
    work: (manager: EntityManager, nowSeconds: number) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      try {
        return await this.once(userId, work);
      } catch (error) {
        await this.prepareAgain(userId, error);
      }
    }
    throw new ServiceBusyError();
  }

  /** Does what the work waits for. Throws any other error again. */
  private async prepareAgain(userId: string, error: unknown): Promise<void> {
    if (error instanceof TagsMovingError) {
      await this.moveTagsOrRefuse(userId);
    } else if (error instanceof StorageUnmeasuredError) {
      // In a transaction of its own, so that the size is known even if the work is refused.
      await this.once(userId, (manager) => measureStorage(manager, userId));
    } else {
      throw error;
    }
  }

  /** Has items follow their tags until none is on its way; other changes of the list come between. */
  async moveTags(userId: string): Promise<void> {
    const share = (manager: EntityManager, now: number): Promise<boolean> =>
      moveTags(manager, userId, { now });
    let isMoving = true;
    while (isMoving) {
      isMoving = await this.once(userId, share);
    }
    this.failures.delete(userId);
  }

  /**
   * As moveTags, but logs an error instead of throwing it: the rename or deletion is committed, and the sweep
   * (tag-moves/tag-move-sweep.ts) moves the items that are left.
   */
  async moveTagsOrWarn(userId: string): Promise<void> {
    try {
      await this.moveTags(userId);
    } catch (error) {
      this.tell(userId, error);
    }
  }

  /** When the tags cannot arrive, another try of the change that waits for them may succeed: it is refused for now. */
  private async moveTagsOrRefuse(userId: string): Promise<void> {
    try {
      await this.moveTags(userId);
    } catch (error) {
      if (error instanceof DomainError || passes(error)) {
        throw error;
      }
      this.tell(userId, error);
      throw new ServiceBusyError();
    }
  }

  private tell(userId: string, cause: unknown): void {
    const failures = (this.failures.get(userId) ?? 0) + 1;
    this.failures.set(userId, failures);
    const error = new Error(`Tags of user ${userId} are still on their way.`, { cause });
    if (failures < LASTING_FAILURES) {
      this.logger.warn(error);
    } else {
      this.logger.error(error);
    }
  }

  private once<T>(
    userId: string,
    work: (manager: EntityManager, nowSeconds: number) => Promise<T>,
  ): Promise<T> {
    return this.queue.run(userId, async () => {
      await this.begin(userId);
      return this.database.transaction((manager) => work(manager, this.clock.seconds()));
    });
  }

  /** Readers must see the list before anything of it has a version (docs/decisions/0034). Throws OwnerGoneError. */
  private async begin(userId: string): Promise<void> {
    if (!this.begun.has(userId)) {
      await this.lists.begin(userId);
      this.begun.set(userId, true);
    }
  }
}

/** The database says "not now", which clients are told as it is. */
function passes(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === 'service_busy' || code === 'database_unavailable';
}
