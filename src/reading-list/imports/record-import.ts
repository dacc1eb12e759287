import type { EntityManager } from 'typeorm';

import { facetMoves } from '../facet.js';
import { ListRepository } from '../list/list.repository.js';

/**
 * Writes the event of the end of an import, in the caller's transaction. `items` is the number of items that the import
 * has added or changed. If the user has a subscriber, the list gets a new version, because each event needs one.
 */
export async function recordImport(
  manager: EntityManager,
  userId: string,
  items: number,
): Promise<void> {
  const lists = ListRepository.in(manager);
  const list = await lists.lock(userId);
  if (list.hasSubscribers) {
    await lists.moveCounters(userId, list, {
      hasSearchIndex: list.hasSearchIndex,
      facetMoves: facetMoves([], []),
      events: () => [{ kind: 'import.finished', count: items }],
    });
  }
}
