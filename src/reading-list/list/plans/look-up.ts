import type { Condition } from '../narrowing.js';
import type { Bound } from './bound.js';
import { and } from './conditions.js';

interface LookUp {
  readonly table: 'items' | 'item_search';
  /** The expression that is the id. */
  readonly id: string;
  /** What is wanted of the row. */
  readonly columns?: string;
  /** The row's name. */
  readonly as?: string;
}

/**
 * A join that looks a row up by its key and tests it. The fences keep this one descent of the key: without the inner
 * one the planner, which knows no values, took the index on stamp for a row (1,700 ms instead of 1).
 */
export const lookedUp = (
  { table, id, columns = '', as = table }: LookUp,
  conditions: readonly Condition[],
  bound: Bound,
): string =>
  `CROSS JOIN LATERAL (
    SELECT ${columns} FROM (SELECT * FROM ${table} WHERE user_id = $1 AND item_id = ${id} OFFSET 0) i
    WHERE true${and(conditions, bound, 'i')} OFFSET 0) ${as}`;

/** The joins that test conditions, if any; the rows with the texts are a fourth as wide as those of `items`. */
export function lookedUpFor(
  { id, hasTexts }: { readonly id: string; readonly hasTexts: boolean },
  conditions: readonly Condition[],
  bound: Bound,
): string {
  const texts = conditions.filter(({ kind }) => hasTexts && kind === 'search');
  const others = conditions.filter((one) => !texts.includes(one));
  const tables = [
    ['item_search', texts],
    ['items', others],
  ] as const;
  return tables
    .filter(([, tests]) => tests.length > 0)
    .map(([table, tests]) => lookedUp({ table, id }, tests, bound))
    .join(' ');
}
