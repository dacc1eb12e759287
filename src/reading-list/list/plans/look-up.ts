import type { Condition } from '../narrowing.js';
import type { Bound } from './bound.js';
import { and } from './conditions.js';

interface LookUp {
  /** The expression that is the id. */
  readonly id: string;
  /** What is wanted of the row, found under the name of `i`. */
  readonly columns?: string;
  /** True when `item_search` has the texts of the list: its rows are a tenth as wide. */
  readonly hasTexts: boolean;
}

/** Joins that look rows up by their keys, test them, and are left out when nothing is to be tested or read. */
export function lookedUp(lookUp: LookUp, conditions: readonly Condition[], bound: Bound): string {
  const { id, columns = '', hasTexts } = lookUp;
  const texts = conditions.filter(({ kind }) => hasTexts && kind === 'search');
  const others = conditions.filter((one) => !texts.includes(one));
  return [
    ...(texts.length > 0 ? [joined({ table: 'item_search', id }, texts, bound)] : []),
    ...(others.length > 0 || columns !== ''
      ? [joined({ table: 'items', id, columns }, others, bound)]
      : []),
  ].join(' ');
}

/**
 * The fences keep this one descent of the key: without the inner one the planner, which knows no values, took the
 * index on stamp for a row (1,700 ms instead of 1).
 */
const joined = (
  { table, id, columns = '' }: { table: string; id: string; columns?: string },
  conditions: readonly Condition[],
  bound: Bound,
): string =>
  `CROSS JOIN LATERAL (
    SELECT ${columns} FROM (SELECT * FROM ${table} WHERE user_id = $1 AND item_id = ${id} OFFSET 0) i
    WHERE true${and(conditions, bound, 'i')} OFFSET 0) ${table === 'items' ? 'i' : 't'}`;
