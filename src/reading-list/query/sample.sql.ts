import type { Statement } from '../../platform/database/query-rows.js';
import { type Condition, type PageQuery, TAGGED_ONES } from './conditions.js';
import { ANNOTATED, Bound, setOf, tested } from './conditions.sql.js';

/** How many items are looked at to estimate shares. Ids are hashes, so the first ones are a random sample. */
const SAMPLED = 500;
/** For full-text conditions alone: reading the words costs as much as all else, and only a share is needed. */
const SAMPLED_FOR_WORDS = 150;
/** Sets are counted up to here, and estimated from the sample beyond. */
export const COUNTED = 3000;

/** The counter that the writing path keeps; prepared, like all that a page of a long list takes. */
export const TAGGED_COUNT = `SELECT item_count FROM tags WHERE user_id = $1 AND tag_id = $2`;

/** What is true of some of the items. */
export interface SampleRow {
  /** For each of them, in the order wanted, a bit for each condition that it passes, and one for having tags. */
  readonly passed: readonly number[];
  /** How many of all items pass each condition, null where that is known or cannot be counted. */
  readonly counted: readonly (number | null)[];
}

export function sample({ userId, conditions, sortKey }: PageQuery): Statement {
  const bound = new Bound(userId);
  const bits = [...conditions, TAGGED_ONES].map(
    (one, at) => `CASE WHEN ${tested(one, bound, 'i')} THEN ${2 ** at} ELSE 0 END`,
  );
  const { column, direction } = sortKey;
  const areWordsAll = conditions.every(({ kind }) => kind === 'text');
  // The fence, and the ids before the rows: or the planner sorts all of the list out of some other index.
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

/** Not for a text: the index reads all that have a common word before it gives the first. */
const counted = (condition: Condition, bound: Bound): string =>
  ['domain', 'since'].includes(condition.kind)
    ? upToMany(setOf(condition, [condition], bound))
    : isOfAnnotated(condition)
      ? upToMany(ANNOTATED)
      : 'NULL';

const isOfAnnotated = (condition: Condition): boolean =>
  condition.kind === 'annotated' && condition.wanted;

const upToMany = (set: string): string => `(SELECT count(*) FROM (${set} LIMIT ${COUNTED}) few)`;
