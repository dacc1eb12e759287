import type { Statement } from '../../platform/database/query-rows.js';
import { type Condition, type PageQuery, TAGGED_ONES } from './conditions.js';
import { ANNOTATED, Bound, setOf, tested } from './conditions.sql.js';

/** The sample size for estimating shares. Ids are hashes, so the first ones are a random sample. */
const SAMPLED = 500;
/**
 * The sample size if all conditions are full-text searches. Reading words costs as much as all the rest, and only a
 * share is needed.
 */
const SAMPLED_FOR_WORDS = 150;
/** Sets are counted up to this size. The size of larger ones is estimated from the sample. */
export const COUNTED = 3000;

/**
 * Reads the counter of a tag, which each write updates. The statement is prepared, like all others for a page of a long
 * list.
 */
export const TAGGED_COUNT = `SELECT item_count FROM tags WHERE user_id = $1 AND tag_id = $2`;

/** Facts about the sampled items. */
export interface SampleRow {
  /**
   * For each sampled item, in the requested order: a bit for each condition that it passes, and a bit for having tags.
   */
  readonly passed: readonly number[];
  /** The number of all items that pass each condition; null if it is known already or cannot be counted. */
  readonly counted: readonly (number | null)[];
}

export function sample({ userId, conditions, sortKey }: PageQuery): Statement {
  const bound = new Bound(userId);
  const bits = [...conditions, TAGGED_ONES].map(
    (one, at) => `CASE WHEN ${tested(one, bound, 'i')} THEN ${2 ** at} ELSE 0 END`,
  );
  const { column, direction } = sortKey;
  const areWordsAll = conditions.every(({ kind }) => kind === 'text');
  // OFFSET 0, and the ids before the rows: otherwise the planner may read the whole list from some other index and sort
  // it.
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

/** Does not count text searches, because the index reads all items with a common word before it returns the first. */
const counted = (condition: Condition, bound: Bound): string =>
  ['domain', 'since'].includes(condition.kind)
    ? upToMany(setOf(condition, [condition], bound))
    : isOfAnnotated(condition)
      ? upToMany(ANNOTATED)
      : 'NULL';

const isOfAnnotated = (condition: Condition): boolean =>
  condition.kind === 'annotated' && condition.wanted;

const upToMany = (set: string): string => `(SELECT count(*) FROM (${set} LIMIT ${COUNTED}) few)`;
