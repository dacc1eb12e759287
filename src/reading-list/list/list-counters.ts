import type { EntityManager } from 'typeorm';

import { run } from '../../database/statements.js';
import type { LockedList } from './list.lock.js';

const UPDATE = `
    UPDATE lists
    SET stamp = $2, additions = additions + $6::integer, item_count = item_count + $3::integer, has_search_index = $4::boolean,
        facet_counts = array(
          SELECT count + by FROM unnest(facet_counts, $5::integer[]) WITH ORDINALITY AS facet (count, by, place)
          ORDER BY place)
    WHERE user_id = $1`;

/** What changes about the list itself. */
export interface CounterMoves {
  /** How many items have come, less those that went. */
  readonly itemCount: number;
  /** How many times items were added. */
  readonly additions: number;
  readonly hasSearchIndex: boolean;
  readonly facetMoves: readonly number[];
}

/** Stamps the list, and moves its counters. */
export async function writeList(
  manager: EntityManager,
  userId: string,
  { nextStamp }: LockedList,
  { itemCount, additions, hasSearchIndex, facetMoves }: CounterMoves,
): Promise<void> {
  const values = [userId, nextStamp, itemCount, hasSearchIndex, facetMoves, additions];
  await run(manager, { text: UPDATE, values });
}
