import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Config } from '../../../platform/config/config.js';
import type { Action } from '../../../reading-list/actions/action.js';
import { applyActions } from '../../../reading-list/actions/apply-actions.js';
import { List } from '../../../reading-list/entities/list.entity.js';
import { type ActionOutcome, UNKNOWN_ITEM } from '../../../reading-list/list/action-outcome.js';
import { ListRepository } from '../../../reading-list/list/list.repository.js';
import { ListTransactions } from '../../../reading-list/list-transactions.js';
import { ItemNotFoundError } from '../../../reading-list/reading-list.errors.js';

/** A list that no other call changes until its transaction ends. */
export interface LockedEntries {
  readonly manager: EntityManager;
  readonly userId: string;
  /** One outcome each. */
  apply(actions: readonly Action[]): Promise<ActionOutcome[]>;
}

/** What calls do to entries: actions on the items of the list. */
@Injectable()
export class EntryActions {
  constructor(
    private readonly lists: ListTransactions,
    private readonly config: Config,
  ) {}

  /** Looks at the list and changes it, in one transaction; the work may be done again. */
  underLock<T>(userId: string, work: (list: LockedEntries) => Promise<T>): Promise<T> {
    const { resolverPagesPerHour: pagesPerHour, storageLimitBytes: storageLimit } = this.config;
    return this.lists.run(userId, async (manager, now) => {
      await new ListRepository(List, manager).lock(userId);
      const apply = (actions: readonly Action[]): Promise<ActionOutcome[]> =>
        applyActions(manager, userId, { actions, now, pagesPerHour, storageLimit });
      return work({ manager, userId, apply });
    });
  }

  /** Does all of the actions or none. Throws ItemNotFoundError, ValidationFailedError, StorageFullError. */
  do(userId: string, actions: readonly Action[]): Promise<void> {
    return this.underLock(userId, async (list) => {
      refuseUnlessDone(await list.apply(actions));
    });
  }
}

/** Throws ItemNotFoundError, ValidationFailedError, StorageFullError. */
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
