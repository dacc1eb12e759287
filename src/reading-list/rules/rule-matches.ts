import type { EntityManager } from 'typeorm';

import type { ItemRow } from '../entities/item.entity.js';
import type { SavedList } from '../entities/saved-list.entity.js';
import { ItemQuery } from '../query/item.query.js';
import type { ItemFilter } from '../query/items-wanted.js';
import { viewOf } from '../saved-lists/saved-list-view.js';
import { itemsOf } from '../views/view-query.js';

/**
 * Returns the filter of a saved list at a time. Returns undefined if this version of Satchel does not understand all of its
 * conditions.
 */
export function filterOf(
  list: Pick<SavedList, 'name' | 'conditions'>,
  now: Date,
): ItemFilter | undefined {
  const view = viewOf(list);
  return view && itemsOf(view, now).filter;
}

/** Items, and the filter that is tested on them. */
export interface Among {
  readonly filter: ItemFilter;
  readonly itemIds: readonly string[];
}

/** Returns those of the items that match a filter, the newest first. */
export async function matchesAmong(
  manager: EntityManager,
  userId: string,
  { filter, itemIds }: Among,
): Promise<readonly ItemRow[]> {
  if (itemIds.length === 0) {
    return [];
  }
  const { rows } = await new ItemQuery(manager, userId).find({
    filter: { ...filter, itemIds },
    order: 'newest',
    page: { count: itemIds.length, offset: 0 },
  });
  return rows;
}
