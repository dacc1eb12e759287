import { Injectable, Logger } from '@nestjs/common';

import { Clock } from '../../platform/common/clock.js';
import { Every } from '../../platform/jobs/every.js';
import { ListRepository } from '../list/list.repository.js';
import { ListTransactions } from '../list-transactions.js';
import { SnapshotRepository } from '../snapshots/snapshot.repository.js';
import { storesPictures } from '../storage/measure-storage.js';
import {
  DeletedItemRepository,
  type RemovedCopy,
  type TrashedItem,
  type TrashPlace,
  type TrashSummary,
} from './deleted-item.repository.js';

/** The number of days for which a deleted item stays in the trash. */
export const TRASH_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1000;
const EVERY_MS = 60 * 60 * 1000;
/** The number of copies that one transaction removes, so that other changes of the list do not wait long. */
const AT_ONCE = 1000;
const MILLISECOND = 1000;

/** Returns the time until which an item that was deleted at `deletedAt` stays in the trash. */
export const trashedUntil = (deletedAt: Date): Date =>
  new Date(deletedAt.getTime() + TRASH_DAYS * DAY_MS);

/** Lists the items in the trash, and removes them permanently (docs/decisions/0107). */
@Injectable()
export class Trash {
  private readonly logger = new Logger(Trash.name);

  constructor(
    private readonly lists: ListTransactions,
    private readonly deleted: DeletedItemRepository,
    private readonly clock: Clock,
  ) {}

  summary(userId: string): Promise<TrashSummary> {
    return this.deleted.summary(userId);
  }

  /** Returns the items after a position, the latest deletion first. */
  older(userId: string, place: TrashPlace | undefined, count: number): Promise<TrashedItem[]> {
    return this.deleted.older(userId, place, count);
  }

  /** Returns the items before a position, the nearest first. */
  newer(userId: string, place: TrashPlace, count: number): Promise<TrashedItem[]> {
    return this.deleted.newer(userId, place, count);
  }

  /** Removes items from the trash. Returns the ids of the removed items. */
  remove(userId: string, itemIds: readonly string[]): Promise<string[]> {
    return this.freeing(userId, (deleted) => deleted.removeFromTrash(userId, itemIds));
  }

  /**
   * Removes all items that were deleted at or before a time, in microseconds since 1970. Items that
   * are deleted later stay in the trash. Returns the number of removed items.
   */
  async empty(userId: string, until: string): Promise<number> {
    let count = 0;
    for (let removed = AT_ONCE; removed === AT_ONCE;) {
      const ids = await this.freeing(userId, (deleted) =>
        deleted.emptyTrash(userId, until, AT_ONCE),
      );
      removed = ids.length;
      count += removed;
    }
    return count;
  }

  /**
   * Removes the items of all users that were deleted more than TRASH_DAYS ago. An error for one user does not affect
   * other users.
   */
  @Every(EVERY_MS)
  async sweep(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - TRASH_DAYS * DAY_MS);
    const until = String(before.getTime() * MILLISECOND - 1);
    for (let last: string | undefined = '0'; last !== undefined;) {
      const owners: string[] = await this.deleted.ownersOfExpired(before, last);
      for (const userId of owners) {
        await this.empty(userId, until).catch((error: unknown) => {
          this.logger.warn(error);
        });
      }
      last = owners.at(-1);
    }
  }

  /** Removes copies and subtracts their size from the stored size of the list, in one transaction. */
  private freeing(
    userId: string,
    remove: (deleted: DeletedItemRepository) => Promise<RemovedCopy[]>,
  ): Promise<string[]> {
    return this.lists.run(userId, async (manager) => {
      const lists = ListRepository.in(manager);
      await lists.lock(userId);
      // The sizes of the snapshots and of the pictures of a removed item are measured when they matter.
      const mayStoreLess =
        (await SnapshotRepository.in(manager).hasTrashed(userId)) ||
        (await storesPictures(manager, userId));
      const removed = await remove(DeletedItemRepository.in(manager));
      const bytes = removed.reduce((sum, copy) => sum + copy.bytes, 0);
      await lists.moveStorage(userId, { storedBytes: -bytes, mayStoreLess });
      return removed.map(({ itemId }) => itemId);
    });
  }
}
