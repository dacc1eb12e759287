import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Config } from '../../../platform/config/config.js';
import type { Action } from '../../../reading-list/actions/action.js';
import { applyActions } from '../../../reading-list/actions/apply-actions.js';
import { type ActionOutcome, UNKNOWN_ITEM } from '../../../reading-list/list/action-outcome.js';
import { ListRepository } from '../../../reading-list/list/list.repository.js';
import { ListTransactions } from '../../../reading-list/list-transactions.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';

/** A list that is locked. Other calls cannot change the list until the transaction ends. */
export interface LockedEntries {
  readonly manager: EntityManager;
  readonly userId: string;
  /** Applies changes to the list, and returns one result for each change. */
  apply(actions: readonly Action[]): Promise<ActionOutcome[]>;
}

/** Applies the changes of API calls to the items of a list. */
@Injectable()
export class EntryActions {
  constructor(
    private readonly lists: ListTransactions,
    private readonly config: Config,
  ) {}

  /**
   * Locks the list and calls `work` in one transaction. If the transaction fails because of a conflict, `work` is
   * called again in a new transaction.
   */
  underLock<T>(userId: string, work: (list: LockedEntries) => Promise<T>): Promise<T> {
    const { resolverPagesPerHour: pagesPerHour, storageLimitBytes: storageLimit } = this.config;
    return this.lists.run(userId, async (manager, now) => {
      await ListRepository.in(manager).lock(userId);
      const apply = (actions: readonly Action[]): Promise<ActionOutcome[]> =>
        applyActions(manager, userId, { actions, now, pagesPerHour, storageLimit });
      return work({ manager, userId, apply });
    });
  }

  /**
   * Applies either all changes or none.
   *
   * @throws ItemNotFoundError, ValidationFailedError, StorageFullError
   */
  do(userId: string, actions: readonly Action[]): Promise<void> {
    return this.underLock(userId, async (list) => {
      refuseUnlessDone(await list.apply(actions));
    });
  }

  /** Deletes items permanently. Returns one outcome per item, in the order of the ids. */
  delete(userId: string, itemIds: readonly string[]): Promise<ActionOutcome[]> {
    const actions = itemIds.map((itemId): Action => ({
      action: 'delete',
      item: { itemId },
      time: undefined,
    }));
    return this.underLock(userId, (list) => list.apply(actions));
  }
}

/**
 * Throws the error of the first change that failed, if there is one.
 *
 * @throws ItemNotFoundError, ValidationFailedError, StorageFullError
 */
export function refuseUnlessDone(outcomes: readonly ActionOutcome[]): void {
  for (const outcome of outcomes) {
    if (outcome === UNKNOWN_ITEM) {
      throw new ItemNotFoundError();
    }
    if (!outcome.ok) {
      throw outcome.refusal.error;
    }
  }
}
