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

/** The lock of a list in the database allows one change at a time anyway. */
const ONE_AT_A_TIME = { concurrency: 1, maxCalls: 64 };

const REMEMBERED = 10_000;

/** The number of attempts for a change. Another client may rename one of its tags meanwhile, which costs an attempt. */
const MOST_ATTEMPTS = 5;

/** From this number of failures in a row on, the problem is not temporary: an operator has to look at it. */
const LASTING_FAILURES = 3;

/** Runs the transactions that change lists, one at a time for each user. */
@Injectable()
export class ListTransactions {
  private readonly logger = new Logger(ListTransactions.name);
  private readonly queue = new UserQueue(ONE_AT_A_TIME);
  private readonly begun = new LRUCache<string, true>({ max: REMEMBERED });
  /** Failed tag moves of each list since the last one that succeeded. */
  private readonly failures = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lists: ListRepository,
  ) {}

  /**
   * Runs the work in a transaction. `nowSeconds` is the current Unix time, the same for the whole work. If the work
   * throws TagsMovingError, it runs again after all tag moves of the list are done. If the work throws
   * StorageUnmeasuredError, it runs again after the list was measured.
   *
   * @throws ServiceBusyError if too many calls wait, if tags are renamed again and again, or if a tag move fails.
   * @throws OwnerGoneError if the account was deleted.
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

  /** Does what the work needs before it runs again. Throws all other errors unchanged. */
  private async prepareAgain(userId: string, error: unknown): Promise<void> {
    if (error instanceof TagsMovingError) {
      await this.moveTagsOrRefuse(userId);
    } else if (error instanceof StorageUnmeasuredError) {
      // Runs in its own transaction, so that the size is stored even if the work is refused.
      await this.once(userId, (manager) => measureStorage(manager, userId));
    } else {
      throw error;
    }
  }

  /** Applies pending tag moves to items until none is left. Other changes of the list may run in between. */
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
   * Like moveTags, but logs an error instead of throwing it: the rename or deletion is committed, and the sweep
   * (tag-moves/tag-move-sweep.ts) moves the items that are left.
   */
  async moveTagsOrWarn(userId: string): Promise<void> {
    try {
      await this.moveTags(userId);
    } catch (error) {
      this.tell(userId, error);
    }
  }

  /**
   * Refuses the waiting change for now if the tag moves fail: another attempt may succeed.
   *
   * @throws ServiceBusyError if the moves fail. A DomainError and the errors of a busy or unreachable database are
   * thrown unchanged.
   */
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

  /**
   * Creates the list first: readers must see it before anything in it has a version (docs/decisions/0034).
   *
   * @throws OwnerGoneError if the account was deleted.
   */
  private async begin(userId: string): Promise<void> {
    if (!this.begun.has(userId)) {
      await this.lists.begin(userId);
      this.begun.set(userId, true);
    }
  }
}

/** True if the database is busy or unreachable. Clients get this error unchanged. */
function passes(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === 'service_busy' || code === 'database_unavailable';
}
