import { Repository } from 'typeorm';

import { queryRows } from '../../database/query-rows.js';
import type { DeletedItem } from '../entities/deleted-item.entity.js';
import type { ItemRow } from '../entities/item.entity.js';
import {
  FIND_DELETED,
  FORGET_DELETED,
  KEEP_DELETED,
  RETURN_NUMBERS,
  RETURN_WHAT_BELONGS,
} from './deleted-item.sql.js';

/** What was deleted lately, as it was. */
export class DeletedItemRepository extends Repository<DeletedItem> {
  /** Keeps the items, which are about to be deleted. */
  async keep(userId: string, itemIds: readonly string[]): Promise<void> {
    await queryRows(this.manager, KEEP_DELETED, [userId, itemIds]);
  }

  /** Those of the items that were deleted lately and are not in the list. */
  async rows(userId: string, itemIds: readonly string[]): Promise<ItemRow[]> {
    return queryRows<ItemRow>(this.manager, FIND_DELETED, [userId, itemIds]);
  }

  /** Gives the items back what was deleted with them, and forgets the deletion. */
  async giveBack(userId: string, itemIds: readonly string[]): Promise<void> {
    await queryRows(this.manager, RETURN_NUMBERS, [userId, itemIds]);
    await queryRows(this.manager, RETURN_WHAT_BELONGS, [userId, itemIds]);
  }

  /** Forgets what was deleted before the time. */
  async forget(before: Date): Promise<void> {
    await queryRows(this.manager, FORGET_DELETED, [before]);
  }
}
