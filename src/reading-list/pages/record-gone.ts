import type { EntityManager } from 'typeorm';

import { queryRows } from '../../platform/database/query-rows.js';
import { itemEvents } from '../events/unit-events.js';
import { facetMoves } from '../facet.js';
import { RECORD_GONE } from '../list/item.sql.js';
import { ListRepository } from '../list/list.repository.js';

/** An item, and the time since which its page is gone, in Unix seconds. "0" if the page exists. */
export interface GoneItem {
  readonly itemId: string;
  readonly pageId: string;
  readonly goneSince: string;
}

/**
 * Records whether the pages of items are gone, in the caller's transaction. Changed items get a new version, so that
 * cached items and pages of the list are not used any more. Skips items that have another page in the meantime.
 */
export async function recordGone(
  manager: EntityManager,
  userId: string,
  items: readonly GoneItem[],
): Promise<void> {
  const lists = ListRepository.in(manager);
  const list = await lists.lock(userId);
  const changed = await queryRows<{ itemId: string }>(manager, RECORD_GONE, [
    userId,
    list.nextVersion,
    ...(['itemId', 'pageId', 'goneSince'] as const).map((name) => items.map((item) => item[name])),
  ]);
  if (changed.length > 0) {
    await lists.moveCounters(userId, list, {
      hasSearchIndex: list.hasSearchIndex,
      facetMoves: facetMoves([], []),
      events: () =>
        itemEvents(
          'item.changed',
          changed.map(({ itemId }) => itemId),
        ),
    });
  }
}
