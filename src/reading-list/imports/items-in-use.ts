import type { EntityManager } from 'typeorm';

import { queryRows } from '../../platform/database/query-rows.js';
import { itemsWithOwnPages } from '../pages/page-requests.js';
import { IN_USE, LOCK_ITEMS } from './items-in-use.sql.js';

/**
 * Locks items, and returns those that have something of the user outside of their rows: a public link, a reading
 * position, another item that was merged into them, or a page that a client has sent. All of these would be lost with
 * the item.
 */
export async function itemsInUse(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<readonly string[]> {
  if (itemIds.length === 0) {
    return [];
  }
  await queryRows(manager, LOCK_ITEMS, [userId, itemIds]);
  const [found, own] = await Promise.all([
    queryRows<{ itemId: string }>(manager, IN_USE, [userId, itemIds]),
    itemsWithOwnPages(manager, userId, itemIds),
  ]);
  return [...found.map(({ itemId }) => itemId), ...own];
}
