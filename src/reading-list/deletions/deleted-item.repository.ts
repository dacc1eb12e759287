import { Any } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { usersOnLivingServers } from '../../platform/database/living-servers.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { ItemDetailsRepository } from '../details/item-details.repository.js';
import { DeletedItem } from '../entities/deleted-item.entity.js';
import type { ItemRow } from '../entities/item.entity.js';
import { SnapshotRepository } from '../snapshots/snapshot.repository.js';
import {
  FIND_DELETED,
  KEEP_DELETED,
  KEPT_PAGES,
  OWN_PAGES,
  OWNERS_OF_EXPIRED,
  ownersOfExpiredOnOneServer,
  RETURN_ANNOTATIONS,
  RETURN_DETAILS,
  RETURN_NUMBERS,
  RETURN_PAGES,
  RETURN_POSITIONS,
  RETURNED_BYTES,
  TRASHED_BYTES,
  UNLIST_PICTURES,
} from './deleted-item.sql.js';
import {
  DELETE_FROM_TRASH,
  EMPTY_TRASH,
  NEWER_IN_TRASH,
  OLDER_IN_TRASH,
  SUMMARY_OF_TRASH,
} from './trash.sql.js';
import { FORGET_PICTURES, KEEP_PICTURES, RETURN_PICTURES } from './trashed-pictures.sql.js';

/** The database row of a page that belongs to a single item, as JSON. */
interface OwnPage {
  readonly itemId: string;
  readonly page: string;
  readonly bytes: string;
}

/** An item in the trash. */
export interface TrashedItem extends ItemRow {
  readonly deleted_at: Date;
  /** The time of the deletion in microseconds since 1970, as decimal text. */
  readonly deleted_microseconds: string;
  /** True if the same page was saved again, so that the copy cannot be restored. */
  readonly is_in_list: boolean;
}

/** A position in the trash: the time of a deletion in microseconds since 1970, and the item. */
export interface TrashPlace {
  readonly microseconds: string;
  readonly itemId: string;
}

export interface TrashSummary {
  readonly items: number;
  readonly bytes: number;
  /** The time of the latest deletion in microseconds since 1970, or "0" if the trash is empty. */
  readonly latest: string;
}

export interface RemovedCopy {
  readonly itemId: string;
  readonly bytes: number;
}

/** A position before the latest deletion: a time in the year 2255. */
const BEGINNING: TrashPlace = { microseconds: '9000000000000000', itemId: '0' };
const OWNERS_AT_ONCE = 100;

/** Stores copies of deleted items, so that users can restore them. */
export class DeletedItemRepository extends CustomRepository<DeletedItem> {
  static readonly entity = DeletedItem;

  /**
   * Stores copies of items that are about to be deleted. Returns the number of bytes by which the
   * trash has grown.
   */
  async keep(userId: string, itemIds: readonly string[]): Promise<number> {
    const own = await queryRows<OwnPage>(this.manager, OWN_PAGES, [userId, itemIds]);
    const replaced = await this.bytesOf(userId, itemIds);
    const kept = await queryRows<{ bytes: number }>(this.manager, KEEP_DELETED, [
      ...[userId, itemIds, own.map(({ itemId }) => itemId)],
      ...[own.map(({ page }) => page), own.map(({ bytes }) => bytes)],
    ]);
    await SnapshotRepository.in(this.manager).moveToTrash(userId, itemIds);
    // A copy replaces an earlier copy, also its page.
    await queryRows(this.manager, FORGET_PICTURES, [userId, itemIds]);
    await queryRows(this.manager, KEEP_PICTURES, [userId, itemIds]);
    return kept.reduce((sum, { bytes }) => sum + bytes, 0) - replaced;
  }

  /** Returns the rows of deleted items. Omits items that are in the list again. */
  async rows(userId: string, itemIds: readonly string[]): Promise<ItemRow[]> {
    return queryRows<ItemRow>(this.manager, FIND_DELETED, [userId, itemIds]);
  }

  /**
   * Restores the annotations, pages and other data of deleted items, and deletes the copies. Requires a transaction.
   * Returns an upper bound for the growth of the stored data, in bytes. It can be negative.
   */
  async giveBack(userId: string, itemIds: readonly string[]): Promise<number> {
    const values = [userId, itemIds];
    const [size] = await queryRows<{ bytes: number }>(this.manager, RETURNED_BYTES, values);
    const copied = await this.bytesOf(userId, itemIds);
    await queryRows(this.manager, RETURN_NUMBERS, values);
    await queryRows(this.manager, RETURN_ANNOTATIONS, values);
    await queryRows(this.manager, RETURN_POSITIONS, values);
    await queryRows(this.manager, RETURN_DETAILS, values);
    await ItemDetailsRepository.in(this.manager).show(userId, itemIds);
    await SnapshotRepository.in(this.manager).moveToList(userId, itemIds);
    const kept = await queryRows<OwnPage>(this.manager, KEPT_PAGES, values);
    await this.returnPages(kept);
    await queryRows(this.manager, RETURN_PICTURES, values);
    await queryRows(this.manager, FORGET_PICTURES, values);
    await this.delete({ userId, itemId: Any([...itemIds]) });
    return (size?.bytes ?? 0) - copied;
  }

  older(userId: string, place: TrashPlace | undefined, count: number): Promise<TrashedItem[]> {
    const { microseconds, itemId } = place ?? BEGINNING;
    const values = [userId, microseconds, itemId, count];
    return queryRows(this.manager, OLDER_IN_TRASH, values);
  }

  newer(userId: string, place: TrashPlace, count: number): Promise<TrashedItem[]> {
    const values = [userId, place.microseconds, place.itemId, count];
    return queryRows(this.manager, NEWER_IN_TRASH, values);
  }

  async summary(userId: string): Promise<TrashSummary> {
    const [summary] = await queryRows<TrashSummary>(this.manager, SUMMARY_OF_TRASH, [userId]);
    return summary ?? { items: 0, bytes: 0, latest: '0' };
  }

  /** Deletes copies of items. */
  removeFromTrash(userId: string, itemIds: readonly string[]): Promise<RemovedCopy[]> {
    return this.removeCopies(DELETE_FROM_TRASH, [userId, itemIds]);
  }

  /** Deletes the oldest copies up to a time in microseconds since 1970, and at most `count` of them. */
  emptyTrash(userId: string, until: string, count: number): Promise<RemovedCopy[]> {
    return this.removeCopies(EMPTY_TRASH, [userId, until, count]);
  }

  /**
   * Returns a batch of users who have copies of deleted items from before the given time, ordered by user id. Omits the
   * users of servers that are unreachable.
   */
  async ownersOfExpired(before: Date, afterUserId: string): Promise<string[]> {
    const values = [before, afterUserId, OWNERS_AT_ONCE] as const;
    try {
      const rows = await queryRows<{ userId: string }>(this.manager, OWNERS_OF_EXPIRED, values);
      return rows.map(({ userId }) => userId);
    } catch (error) {
      const query = ownersOfExpiredOnOneServer(...values);
      return firstUsers(await usersOnLivingServers(this.manager, error, query));
    }
  }

  /** Deletes copies with the pictures of their pages. The first value is the user. */
  private async removeCopies(
    text: string,
    values: readonly [userId: string, ...unknown[]],
  ): Promise<RemovedCopy[]> {
    const removed = await queryRows<RemovedCopy>(this.manager, text, values);
    const itemIds = removed.map(({ itemId }) => itemId);
    await queryRows(this.manager, FORGET_PICTURES, [values[0], itemIds]);
    return removed;
  }

  private async returnPages(kept: readonly OwnPage[]): Promise<void> {
    if (kept.length > 0) {
      const rows = kept.map(({ page }) => page);
      const returned = await queryRows<{ pageId: string }>(this.manager, RETURN_PAGES, [rows]);
      await queryRows(this.manager, UNLIST_PICTURES, [returned.map(({ pageId }) => pageId)]);
    }
  }

  private async bytesOf(userId: string, itemIds: readonly string[]): Promise<number> {
    const values = [userId, itemIds];
    const [sum] = await queryRows<{ bytes: number }>(this.manager, TRASHED_BYTES, values);
    return sum?.bytes ?? 0;
  }
}

const firstUsers = (userIds: readonly string[]): string[] =>
  userIds.toSorted((one, other) => Number(one) - Number(other)).slice(0, OWNERS_AT_ONCE);
