import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { LockedList } from './list.lock.js';
import type { ListChanges } from './list-changes.js';
import { allowLongStatement } from './long-statement.js';
import { refreshStatistics } from './planner-statistics.js';

/** Below it, search reads the items themselves faster than the index pays for its upkeep (docs/decisions/0015). */
const INDEXED_ABOVE = 5000;

const BUILD = `
    INSERT INTO item_search (user_id, item_id, added_order, title_key, url_key, search_text)
    SELECT user_id, item_id, added_order, title_key, url_key, search_text FROM items WHERE user_id = $1`;

const DELETE = `DELETE FROM item_search WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

const WRITE = `
    INSERT INTO item_search (user_id, item_id, added_order, title_key, url_key, search_text)
    SELECT user_id, item_id, added_order, title_key, url_key, search_text
    FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
    ON CONFLICT (user_id, item_id) DO UPDATE
      SET added_order = excluded.added_order, title_key = excluded.title_key, url_key = excluded.url_key,
        search_text = excluded.search_text`;

type Searched = Pick<LockedList, 'itemCount' | 'hasSearchIndex'>;

/** True for a list that has a search index, or has become large enough for one. */
export const needsSearchIndex = ({ hasSearchIndex, itemCount }: Searched): boolean =>
  hasSearchIndex || itemCount > INDEXED_ABOVE;

/** Keeps the search index of a large list, and builds it when the list has become large; the items come first. */
export async function writeSearchIndex(
  manager: EntityManager,
  userId: string,
  list: Searched,
  { deleted, reindexed }: Pick<ListChanges, 'deleted' | 'reindexed'>,
): Promise<void> {
  if (!needsSearchIndex(list)) {
    return;
  }
  if (!list.hasSearchIndex) {
    await buildSearchIndex(manager, userId, list.itemCount);
    return;
  }
  await Promise.all([
    deleted.length > 0 && run(manager, { text: DELETE, values: [userId, deleted] }),
    reindexed.length > 0 && run(manager, { text: WRITE, values: [userId, reindexed] }),
  ]);
}

async function buildSearchIndex(
  manager: EntityManager,
  userId: string,
  itemCount: number,
): Promise<void> {
  await allowLongStatement(manager);
  await run(manager, { text: BUILD, values: [userId] });
  await refreshStatistics(manager, itemCount);
}
