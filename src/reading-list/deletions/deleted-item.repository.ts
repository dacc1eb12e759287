import { Any } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { ItemDetailsRepository } from '../details/item-details.repository.js';
import { DeletedItem } from '../entities/deleted-item.entity.js';
import type { ItemRow } from '../entities/item.entity.js';
import {
  CUT_DELETED,
  FIND_DELETED,
  FORGET_DELETED,
  KEEP_DELETED,
  KEPT_PAGES,
  OWN_PAGES,
  RETURN_ANNOTATIONS,
  RETURN_DETAILS,
  RETURN_NUMBERS,
  RETURN_PAGES,
  RETURN_POSITIONS,
  RETURNED_BYTES,
} from './deleted-item.sql.js';

/** The database row of a page that belongs to a single item, as JSON. */
interface OwnPage {
  readonly itemId: string;
  readonly page: string;
}

/** Stores copies of recently deleted items, so that users can restore them. */
export class DeletedItemRepository extends CustomRepository<DeletedItem> {
  static readonly entity = DeletedItem;

  /** Stores copies of items that are about to be deleted. */
  async keep(userId: string, itemIds: readonly string[]): Promise<void> {
    const own = await queryRows<OwnPage>(this.manager, OWN_PAGES, [userId, itemIds]);
    const pages = [own.map(({ itemId }) => itemId), own.map(({ page }) => page)];
    await queryRows(this.manager, KEEP_DELETED, [userId, itemIds, ...pages]);
  }

  /** Returns the rows of recently deleted items. Omits items that are in the list again. */
  async rows(userId: string, itemIds: readonly string[]): Promise<ItemRow[]> {
    return queryRows<ItemRow>(this.manager, FIND_DELETED, [userId, itemIds]);
  }

  /**
   * Restores the annotations, pages and other data of deleted items, and deletes the copies. Requires a transaction.
   * Returns an upper bound for the size of the restored data, in bytes.
   */
  async giveBack(userId: string, itemIds: readonly string[]): Promise<number> {
    const [size] = await queryRows<{ bytes: number }>(this.manager, RETURNED_BYTES, [
      userId,
      itemIds,
    ]);
    await queryRows(this.manager, RETURN_NUMBERS, [userId, itemIds]);
    await queryRows(this.manager, RETURN_ANNOTATIONS, [userId, itemIds]);
    await queryRows(this.manager, RETURN_POSITIONS, [userId, itemIds]);
    await queryRows(this.manager, RETURN_DETAILS, [userId, itemIds]);
    await ItemDetailsRepository.in(this.manager).show(userId, itemIds);
    const kept = await queryRows<OwnPage>(this.manager, KEPT_PAGES, [userId, itemIds]);
    await queryRows(this.manager, RETURN_PAGES, [kept.map(({ page }) => page)]);
    await this.delete({ userId, itemId: Any([...itemIds]) });
    return size?.bytes ?? 0;
  }

  /** Deletes the user's oldest copies, so that the total size of the newer copies is at most `bytes`. */
  async cut(userId: string, bytes: number): Promise<void> {
    await queryRows(this.manager, CUT_DELETED, [userId, bytes]);
  }

  /** Deletes copies of all users that were created before the given time. */
  async forget(before: Date): Promise<void> {
    await queryRows(this.manager, FORGET_DELETED, [before]);
  }
}
