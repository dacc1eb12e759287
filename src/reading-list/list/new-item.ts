import type { EntityManager } from 'typeorm';

import { isDistributed } from '../../platform/database/database.js';
import { queryRows } from '../../platform/database/query-rows.js';
import type { ItemRow } from '../entities/item.entity.js';
import { pageOf } from '../pages/page-requests.js';
import { upsertedOf } from './item.repository.js';
import { changesOf } from './list-changes.js';
import { candidateIds, type NewItem } from './list-state.js';
import { ListUnitOfWork } from './list-unit-of-work.js';
import { ADD_NEW_ITEM, GIVEN_COLUMNS } from './new-item.sql.js';

interface Adding {
  readonly item: NewItem;
  /** The time of the save in Unix seconds, by the clock of the client. Undefined means now. */
  readonly time: number | undefined;
  /** The current time in Unix seconds. */
  readonly now: number;
  /** The maximum number of pages that are fetched per hour for the user. 0 means no limit. */
  readonly pagesPerHour: number;
  /** The maximum number of bytes that the user may store. 0 means no limit. */
  readonly storageLimit: number;
}

const EMPTY = { items: [], tombstones: [], tags: [] };

/**
 * Adds an item to a list in one statement, if it is new and has no tags. Returns the row of the item. Returns undefined,
 * and changes nothing, if the item needs `applyActions` instead: because it is or was in the list, because the list has
 * no room, or because the database is distributed (docs/decisions/0123).
 */
export async function addNewItem(
  manager: EntityManager,
  userId: string,
  { item, time, now, pagesPerHour, storageLimit }: Adding,
): Promise<ItemRow | undefined> {
  if (isDistributed(manager) || item.tags.length > 0) {
    return undefined;
  }
  const unit = new ListUnitOfWork(EMPTY, now);
  unit.add(item, time);
  const { upserted, requested, storage } = changesOf(unit);
  const [added] = upserted;
  const page = pageOf(requested[0]?.givenUrl ?? '');
  if (added === undefined || page === undefined) {
    return undefined;
  }
  const values = upsertedOf(added);
  const [row] = await queryRows<ItemRow>(manager, ADD_NEW_ITEM, [
    ...[userId, candidateIds(item.item), storageLimit, storage.storedBytes, pagesPerHour],
    ...[page.key, page.url, page.host],
    ...GIVEN_COLUMNS.map(({ property }) => values[property]),
  ]);
  return row;
}
