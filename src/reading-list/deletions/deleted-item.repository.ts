import { Any, Repository } from 'typeorm';

import { queryRows } from '../../platform/database/query-rows.js';
import { ItemDetailsRepository } from '../details/item-details.repository.js';
import type { DeletedItem } from '../entities/deleted-item.entity.js';
import type { ItemRow } from '../entities/item.entity.js';
import { ItemDetails } from '../entities/item-details.entity.js';
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

/** A page that was sent for an item alone, as JSON. */
interface OwnPage {
  readonly itemId: string;
  readonly page: string;
}

/** What was deleted lately, as it was. */
export class DeletedItemRepository extends Repository<DeletedItem> {
  /** Keeps the items, which are about to be deleted. */
  async keep(userId: string, itemIds: readonly string[]): Promise<void> {
    const own = await queryRows<OwnPage>(this.manager, OWN_PAGES, [userId, itemIds]);
    const pages = [own.map(({ itemId }) => itemId), own.map(({ page }) => page)];
    await queryRows(this.manager, KEEP_DELETED, [userId, itemIds, ...pages]);
  }

  /** Those of the items that were deleted lately and are not in the list. */
  async rows(userId: string, itemIds: readonly string[]): Promise<ItemRow[]> {
    return queryRows<ItemRow>(this.manager, FIND_DELETED, [userId, itemIds]);
  }

  /**
   * Gives the items back what was deleted with them, and forgets the deletion. In a transaction. Returns how many bytes
   * that is at most.
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
    await new ItemDetailsRepository(ItemDetails, this.manager).show(userId, itemIds);
    const kept = await queryRows<OwnPage>(this.manager, KEPT_PAGES, [userId, itemIds]);
    await queryRows(this.manager, RETURN_PAGES, [kept.map(({ page }) => page)]);
    await this.delete({ userId, itemId: Any([...itemIds]) });
    return size?.bytes ?? 0;
  }

  /** Forgets the oldest deletions of the user, so that the others take so many bytes at most. */
  async cut(userId: string, bytes: number): Promise<void> {
    await queryRows(this.manager, CUT_DELETED, [userId, bytes]);
  }

  /** Forgets what was deleted before the time. */
  async forget(before: Date): Promise<void> {
    await queryRows(this.manager, FORGET_DELETED, [before]);
  }
}
