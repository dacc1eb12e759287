import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';

import { Clock } from '../platform/common/clock.js';
import { DomainError, ServiceBusyError } from '../platform/common/common.errors.js';
import { isTemporary } from '../platform/database/database.errors.js';
import { Database } from '../platform/database/database.js';
import { KeyedQueue } from '../platform/jobs/keyed-queue.js';
import { ListRepository } from './list/list.repository.js';
import { measureStorage } from './storage/measure-storage.js';
import { StorageUnmeasuredError } from './storage/storage-room.js';
import { moveTags } from './tag-moves/move-tags.js';
import { TagsMovingError } from './tag-moves/tag-move.repository.js';

/**
 * Limits for the changes of one user: how many run at a time, and how many run or are queued. Only one change runs at a
 * time, because each change locks the row of the list in the database anyway.
 */
const ONE_AT_A_TIME = { concurrency: 1, maxCalls: 64 };

const REMEMBERED = 10_000;

/**
 * The maximum number of attempts for a change. For example, an attempt fails if a tag that the change contains is being
 * renamed by another call.
 */
const MOST_ATTEMPTS = 5;

/** The number of consecutive failures at which the log level changes from warning to error. */
const LASTING_FAILURES = 3;

/** Runs the transactions that change lists, one at a time for each user. */
@Injectable()
export class ListTransactions {
  private readonly logger = new Logger(ListTransactions.name);
  private readonly queue = new KeyedQueue(ONE_AT_A_TIME);
  private readonly begun = new LRUCache<string, true>({ max: REMEMBERED });
  /**
   * Maps the user id of each list to the number of consecutive failed attempts to finish renames and deletions of its
   * tags.
   */
  private readonly failures = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly lists: ListRepository,
  ) {}

  /**
   * Calls `work` in a transaction. `nowSeconds` is the current Unix time, which is the same in the whole transaction.
   *
   * If `work` throws a TagsMovingError, finishes the pending renames and deletions of tags in the list and calls `work`
   * again. If `work` throws a StorageUnmeasuredError, measures the size of the list and calls `work` again.
   *
   * @throws ServiceBusyError if too many calls of the user are queued, if MOST_ATTEMPTS attempts have failed, or if a
   * rename or deletion of a tag fails.
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

  /**
   * Prepares another attempt after an error: finishes the pending renames and deletions of tags, or measures the size
   * of the list. Throws all other errors unchanged.
   */
  private async prepareAgain(userId: string, error: unknown): Promise<void> {
    if (error instanceof TagsMovingError) {
      await this.moveTagsOrRefuse(userId);
    } else if (error instanceof StorageUnmeasuredError) {
      // Uses a separate transaction, so that the measured size is stored even if the change is
      // refused.
      await this.once(userId, (manager) => measureStorage(manager, userId));
    } else {
      throw error;
    }
  }

  /**
   * Finishes the pending renames and deletions of tags in a list. Several transactions each change a group of items, so
   * other changes of the list may run in between.
   */
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
   * Finishes the pending renames and deletions of tags after a committed change. Logs an error instead of throwing it,
   * because a background job (tag-moves/tag-move-sweep.ts) tries the failed rename or deletion again.
   */
  async moveTagsOrWarn(userId: string): Promise<void> {
    try {
      await this.moveTags(userId);
    } catch (error) {
      this.tell(userId, error);
    }
  }

  /**
   * Finishes the pending renames and deletions of tags, so that a change that must wait for them can run. Rethrows a
   * DomainError, and an error that shows that the database is busy or unreachable.
   * @throws ServiceBusyError for all other errors, because another attempt may succeed.
   */
  private async moveTagsOrRefuse(userId: string): Promise<void> {
    try {
      await this.moveTags(userId);
    } catch (error) {
      if (error instanceof DomainError || isTemporary(error)) {
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

  /**
   * Calls `work` without a transaction, in turn with the other changes of the user. `work` runs one statement, which
   * changes nothing if the list does not exist.
   */
  runAlone<T>(
    userId: string,
    work: (manager: EntityManager, nowSeconds: number) => Promise<T>,
  ): Promise<T> {
    return this.queue.run(userId, () =>
      this.database.statement((manager) => work(manager, this.clock.seconds())),
    );
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
   * Creates the row of the list in a separate transaction before the first change of the list. Statements that read the
   * list can therefore check whether a running transaction has locked the row (docs/decisions/0034).
   * @throws OwnerGoneError if the account was deleted.
   */
  private async begin(userId: string): Promise<void> {
    if (!this.begun.has(userId)) {
      await this.lists.begin(userId);
      this.begun.set(userId, true);
    }
  }
}
