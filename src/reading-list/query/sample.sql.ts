import type { Statement } from '../../platform/database/query-rows.js';
import { type Condition, type PageQuery, TAGGED_ONES } from './conditions.js';
import { ANNOTATED, Bound, setOf, tested } from './conditions.sql.js';

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
/**
 * Counting the items that meet a condition stops at this number. Larger numbers are estimated from
 * the sample.
 */
export const COUNTED = 3000;

/** Reads the stored number of items with a tag. */
export const TAGGED_COUNT = `SELECT item_count FROM tags WHERE user_id = $1 AND tag_id = $2`;

/** The result of sampling the items of a list. */
export interface SampleRow {
  /**
   * One bit mask for each sampled item, in the requested sort order. Each bit shows whether the
   * item meets one of the conditions. The last bit shows whether the item has tags.
   */
  readonly passed: readonly number[];
  /**
   * For each condition, the number of items in the list that meet the condition. Null if the number
   * is already known or is not counted.
   */
  readonly counted: readonly (number | null)[];
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
  const text = `
    SELECT coalesce(array_agg(passed ORDER BY key ${direction}, item_id ${direction}), '{}') AS passed,
      ARRAY[${conditions.map((one) => counted(one, bound)).join(', ')}]::int[] AS counted
    FROM (
      SELECT i.item_id, i.${column} AS key, ${bits.join(' + ')} AS passed
      FROM (SELECT item_id FROM items WHERE user_id = $1 ORDER BY item_id LIMIT ${areWordsAll ? SAMPLED_FOR_WORDS : SAMPLED}) some_ids
      CROSS JOIN LATERAL (SELECT * FROM items WHERE user_id = $1 AND item_id = some_ids.item_id OFFSET 0) i
    ) looked_at`;
  return { text, values: bound.values };
}

/**
 * Returns SQL that counts the items that meet the condition, up to COUNTED. Returns NULL for text
 * searches, because their index reads all matches before it returns the first one.
 */
const counted = (condition: Condition, bound: Bound): string =>
  ['domain', 'since'].includes(condition.kind)
    ? upToMany(setOf(condition, [condition], bound))
    : isOfAnnotated(condition)
      ? upToMany(ANNOTATED)
      : 'NULL';

const isOfAnnotated = (condition: Condition): boolean =>
  condition.kind === 'annotated' && condition.wanted;

const upToMany = (set: string): string => `(SELECT count(*) FROM (${set} LIMIT ${COUNTED}) few)`;
