import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { LockedList } from './list.lock.js';
import type { ListChanges } from './list-changes.js';
import { allowLongStatement } from './long-statement.js';

/** Below it, search reads the items themselves faster than the index pays for its upkeep (docs/decisions/0015). */
const INDEXED_ABOVE = 5000;

const BUILD = `
    INSERT INTO item_search (user_id, item_id, time_added, title_key, url_key, search_text)
    SELECT user_id, item_id, time_added, title_key, url_key, search_text FROM items WHERE user_id = $1`;

const DELETE = `DELETE FROM item_search WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

const WRITE = `
    INSERT INTO item_search (user_id, item_id, time_added, title_key, url_key, search_text)
    SELECT user_id, item_id, time_added, title_key, url_key, search_text
    FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[])
    ON CONFLICT (user_id, item_id) DO UPDATE
      SET time_added = excluded.time_added, title_key = excluded.title_key, url_key = excluded.url_key,
        search_text = excluded.search_text`;

/** Keeps the search index of a large list, and builds it when the list has become large; tells if it has one. */
export async function writeSearchIndex(
  manager: EntityManager,
  userId: string,
  list: Pick<LockedList, 'itemCount' | 'hasSearchIndex'>,
  { deleted, reindexed }: Pick<ListChanges, 'deleted' | 'reindexed'>,
): Promise<boolean> {
  if (!list.hasSearchIndex) {
    return list.itemCount > INDEXED_ABOVE && build(manager, userId);
  }
  if (deleted.length > 0) {
    await run(manager, { text: DELETE, values: [userId, deleted] });
  }
  if (reindexed.length > 0) {
    await run(manager, { text: WRITE, values: [userId, reindexed] });
  }
  return true;
}

async function build(manager: EntityManager, userId: string): Promise<true> {
  await allowLongStatement(manager);
  await run(manager, { text: BUILD, values: [userId] });
  return true;
}
