import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import { ITEM_COLUMNS } from './item-columns.js';
import type { ItemRow } from './item-row.js';

const BY_ID = `SELECT ${ITEM_COLUMNS.join(', ')} FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** Those of the items that the user's list has, by id. */
export async function findItems(
  manager: EntityManager,
  userId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, ItemRow>> {
  const rows =
    itemIds.length === 0
      ? []
      : await run<ItemRow>(manager, { text: BY_ID, values: [userId, itemIds] });
  return new Map(rows.map((row) => [row.item_id, row]));
}
