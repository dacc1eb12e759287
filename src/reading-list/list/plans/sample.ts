import type { Statement } from '../../../database/statements.js';
import type { Condition } from '../narrowing.js';
import { Bound } from './bound.js';
import { tested } from './conditions.js';
import type { PageQuery } from './page-query.js';
import { setOf } from './sets.js';

/** Looked at to know the shares. Ids are hashes, so that the first ones are as good as any. */
const SAMPLED = 400;
/** Sets are counted up to here, and estimated from the sample beyond. */
export const COUNTED = 5000;

/** How many items of a sample pass all conditions, and each of those that are estimated. */
export interface SampleRow {
  readonly sampled: number;
  readonly all_pass: number;
  readonly pass: readonly number[];
  /** How many of all items pass, null where it cannot be counted. */
  readonly counted: readonly (number | null)[];
}

/** The conditions of which the list keeps no number. */
export const estimatedOf = (conditions: readonly Condition[]): Condition[] =>
  conditions.filter(({ kind }) => kind !== 'facet' && kind !== 'tag');

export function sample({ userId, conditions }: PageQuery): Statement {
  const bound = new Bound(userId);
  const passed = (condition: Condition): string =>
    `count(*) FILTER (WHERE ${tested(condition, bound, 'i')})`;
  const estimated = estimatedOf(conditions);
  const allPass = conditions.map((one) => tested(one, bound, 'i')).join(' AND ');
  const text = `
    SELECT count(*)::int AS sampled, (count(*) FILTER (WHERE ${allPass}))::int AS all_pass,
      ARRAY[${estimated.map(passed).join(', ')}]::int[] AS pass,
      ARRAY[${estimated.map((one) => counted(one, bound)).join(', ')}]::int[] AS counted
    FROM (SELECT item_id FROM items WHERE user_id = $1 ORDER BY item_id LIMIT ${SAMPLED}) some_ids
    CROSS JOIN LATERAL (SELECT * FROM items WHERE user_id = $1 AND item_id = some_ids.item_id OFFSET 0) i`;
  return { text, values: bound.values };
}

const counted = (condition: Condition, bound: Bound): string =>
  condition.kind === 'domain' || condition.kind === 'since'
    ? `(SELECT count(*) FROM (${setOf(condition, [condition], bound)} LIMIT ${COUNTED}) few)`
    : 'NULL';
