import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import { type Address, normalAddress } from './address.js';
import { ITEM_COLUMNS } from './item-columns.js';
import { candidateIds } from './item-reference.js';
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

/** The item of the list that was saved under the URL, in whatever spelling. */
export async function findItemAt(
  manager: EntityManager,
  userId: string,
  address: Address,
): Promise<ItemRow | undefined> {
  const ids = candidateIds({ address });
  const found = await findItems(manager, userId, ids);
  return ids
    .map((id) => found.get(id))
    .find(
      (row) => row !== undefined && normalAddress(row.given_url)?.normalUrl === address.normalUrl,
    );
}
