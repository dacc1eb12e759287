import type { EntityManager } from 'typeorm';

import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { List } from '../entities/list.entity.js';
import { LONGEST_STATEMENT_SECONDS } from '../list/item.repository.js';
import { ListRepository } from '../list/list.repository.js';
import { MEASURE_LIST, MEASURE_PAGES } from './storage.sql.js';

/**
 * Measures the size of a list in bytes and stores the size with the list, in the caller's transaction. Locks the list,
 * so other changes of the list wait while all its rows are read.
 * @throws OwnerGoneError if the account was deleted
 */
export async function measureStorage(manager: EntityManager, userId: string): Promise<number> {
  await ListRepository.in(manager).lock(userId);
  await allowLongStatements(manager, LONGEST_STATEMENT_SECONDS);
  const parts = await Promise.all(
    [MEASURE_LIST, MEASURE_PAGES].map((part) =>
      queryRows<{ bytes: number }>(manager, part, [userId]),
    ),
  );
  const bytes = parts.flat().reduce((sum, part) => sum + part.bytes, 0);
  await manager.update(List, { userId }, { storedBytes: String(bytes), mayStoreLess: false });
  return bytes;
}
