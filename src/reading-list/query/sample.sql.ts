import type { Statement } from '../../platform/database/query-rows.js';
import { Bound } from './bound-values.js';
import { type PageQuery, TAGGED_ONES } from './conditions.js';
import { tested } from './conditions.sql.js';

/**
 * The number of sampled items from which shares are estimated. Ids are hashes, so the items with the smallest ids are a
 * random sample.
 */
const SAMPLED = 500;
/**
 * The number of sampled items if all conditions are full-text searches. It is smaller than for other conditions,
 * because reading the words of an item is expensive.
 */
const SAMPLED_FOR_WORDS = 150;
/** The result of sampling the items of a list. */
export interface SampleRow {
  /**
   * One bit mask for each sampled item, in the requested sort order. Each bit shows whether the
   * item meets one of the conditions. The last bit shows whether the item has tags.
   */
  readonly passed: readonly number[];
  /** The number of words of each sampled item. Set only if the items are sorted by it. */
  readonly words?: readonly number[];
}

export function sample({ userId, conditions, sortKey }: PageQuery): Statement {
  const bound = new Bound(userId);
  const bits = [...conditions, TAGGED_ONES].map(
    (one, at) => `CASE WHEN ${tested(one, bound, 'i')} THEN ${2 ** at} ELSE 0 END`,
  );
  const { column, direction } = sortKey;
  const areWordsAll = conditions.every(({ kind }) => kind === 'text');
  // OFFSET 0 makes PostgreSQL read the sampled ids first. Otherwise, the planner may read the whole
  // list.
  const sorted = (values: string): string =>
    `coalesce(array_agg(${values} ORDER BY key ${direction}, item_id ${direction}), '{}')`;
  const text = `
    SELECT ${sorted('passed')} AS passed${column === 'word_count' ? `, ${sorted('key')} AS words` : ''}
    FROM (
      SELECT i.item_id, i.${column} AS key, ${bits.join(' + ')} AS passed
      FROM (SELECT item_id FROM items WHERE user_id = $1 ORDER BY item_id LIMIT ${areWordsAll ? SAMPLED_FOR_WORDS : SAMPLED}) some_ids
      CROSS JOIN LATERAL (SELECT * FROM items WHERE user_id = $1 AND item_id = some_ids.item_id OFFSET 0) i
    ) looked_at`;
  return { text, values: bound.values };
}
