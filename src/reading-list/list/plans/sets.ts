import { type Condition, facetsPassing } from '../narrowing.js';
import type { Bound } from './bound.js';
import { and, tested } from './conditions.js';
import { isInSet } from './indexes.js';

/** The conditions that the set of one of them answers by itself. */
export const answeredBy = (by: Condition, conditions: readonly Condition[]): readonly Condition[] =>
  conditions.filter((one) => isInSet(one, by));

/** The ids of the items that have annotations. */
export const ANNOTATED = 'SELECT DISTINCT item_id FROM annotations WHERE user_id = $1';

/** Item ids and keys to sort by, of all items that pass; from an index alone, but for a search. */
export function setOf(by: Condition, conditions: readonly Condition[], bound: Bound): string {
  switch (by.kind) {
    case 'facet':
      // One after the other: for all at once the planner may read the whole list in some other index.
      return `SELECT item_id, added_order FROM unnest(${bound.bind(facetsPassing(by), 'smallint[]')}) one (facet)
        CROSS JOIN LATERAL (SELECT item_id, added_order FROM items i
          WHERE i.user_id = $1 AND i.facet = one.facet OFFSET 0) of_facet`;
    case 'tag':
      return `SELECT item_id, added_order FROM item_tags WHERE user_id = $1 AND tag_id = ${bound.bind(by.id, 'bigint')}`;
    case 'search':
      // The owner is in the hash of each pair. As a condition of its own it must not be found in an index,
      // or the planner reads the whole list to intersect it (70 ms of 80).
      return `SELECT item_id, added_order, title_key, url_key FROM item_search s
        WHERE s.user_id + 0 = $1 AND ${tested(by, bound, 's')}
        AND search_grams(s.user_id, s.search_text) @> search_grams($1, ${bound.bind(by.text, 'text')})`;
    case 'annotated':
      return `SELECT item_id, added_order FROM (${ANNOTATED}) marked
        CROSS JOIN LATERAL (SELECT added_order FROM items i
          WHERE i.user_id = $1 AND i.item_id = marked.item_id OFFSET 0) of_item`;
    default:
      return `SELECT item_id, added_order FROM items i
        WHERE i.user_id = $1${and(answeredBy(by, conditions), bound, 'i')}`;
  }
}

/**
 * A test whether the id is in the set, always by hashing: through the array the planner believes the set small,
 * and `IS TRUE` keeps it from making a join of it (nested loops over 100,000 rows, 700 ms against 20).
 */
export const sieve = (by: Condition, bound: Bound, row: string): string =>
  `(${row}.item_id IN (SELECT unnest(ARRAY(SELECT item_id FROM (${setOf(by, [by], bound)}) of)))) IS TRUE`;
