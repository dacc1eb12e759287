import type { EntityManager } from 'typeorm';

import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { List } from '../entities/list.entity.js';
import { LONGEST_STATEMENT_SECONDS } from '../list/item.repository.js';
import { ListRepository } from '../list/list.repository.js';
import {
  DELETE_UNUSED_SHARES,
  HAS_PICTURES,
  MEASURE_LIST,
  MEASURE_PAGES,
  PAGES_OF_LIST,
} from './storage.sql.js';

/**
 * Measures the size of a list in bytes and stores the size with the list, in the caller's transaction. Locks the list,
 * so other changes of the list wait while all its rows are read.
 * @throws OwnerGoneError if the account was deleted
 */
export async function measureStorage(manager: EntityManager, userId: string): Promise<number> {
  await ListRepository.in(manager).lock(userId);
  await allowLongStatements(manager, LONGEST_STATEMENT_SECONDS);
  await deleteUnusedShares(manager, userId);
  const parts = await Promise.all(
    [MEASURE_LIST, MEASURE_PAGES].map((part) =>
      queryRows<{ bytes: number }>(manager, part, [userId]),
    ),
  );
  const bytes = parts.flat().reduce((sum, part) => sum + part.bytes, 0);
  await manager.update(List, { userId }, { storedBytes: String(bytes), mayStoreLess: false });
  return bytes;
}

/** Removes pictures that are in no page of the list and of its trash any more, so that they do not count. */
async function deleteUnusedShares(manager: EntityManager, userId: string): Promise<void> {
  if (await storesPictures(manager, userId)) {
    const pages = await queryRows<{ pageId: string }>(manager, PAGES_OF_LIST, [userId]);
    const pageIds = pages.map(({ pageId }) => pageId);
    await queryRows(manager, DELETE_UNUSED_SHARES, [userId, pageIds]);
  }
}

/** Returns true if pictures are stored for the articles of the user. */
export const storesPictures = async (manager: EntityManager, userId: string): Promise<boolean> =>
  (await queryRows(manager, HAS_PICTURES, [userId])).length > 0;
