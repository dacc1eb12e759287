import { cut } from '../given-title.js';
import type { Condition } from '../narrowing.js';
import type { Bound } from './bound.js';

/** The owner and every condition, on a row of `items` under this name. */
export const where = (conditions: readonly Condition[], bound: Bound, row: string): string =>
  [`${row}.user_id = $1`, ...conditions.map((condition) => tested(condition, bound, row))].join(
    ' AND ',
  );

/** The same as further conditions of a WHERE. */
export const and = (conditions: readonly Condition[], bound: Bound, row: string): string =>
  conditions.map((condition) => ` AND ${tested(condition, bound, row)}`).join('');

/** A condition on a row that has the columns of `items` which it looks at. */
export function tested(condition: Condition, bound: Bound, row: string): string {
  switch (condition.kind) {
    case 'facet':
      return `(${row}.facet & ${bound.bind(condition.mask, 'int')}) = ${bound.bind(condition.value, 'int')}`;
    case 'tag':
      // Not EXISTS, of which the planner makes a join that may read the whole tag for each row.
      return `(SELECT true FROM item_tags g WHERE g.user_id = $1 AND g.tag_id = ${bound.bind(condition.id, 'bigint')}
        AND g.added_order = ${row}.added_order AND g.item_id = ${row}.item_id)`;
    case 'search':
      return searched(condition.text, bound, `${row}.search_text`);
    case 'domain':
      return `${row}.site >= ${bound.bind(condition.from, 'text')} AND ${row}.site < ${bound.bind(condition.below, 'text')}`;
    case 'annotated':
      return `(SELECT true FROM annotations a WHERE a.user_id = $1 AND a.item_id = ${row}.item_id LIMIT 1)
        IS ${condition.wanted ? '' : 'NOT '}TRUE`;
    default:
      return compared(condition, bound, row);
  }
}

function compared(
  condition: Extract<Condition, { kind: 'since' | 'updatedBefore' | 'item' }>,
  bound: Bound,
  row: string,
): string {
  switch (condition.kind) {
    case 'since':
      return `${row}.stamp > ${bound.bind(condition.stamp, 'bigint')}`;
    case 'updatedBefore':
      return `${row}.time_updated < ${bound.bind(condition.time, 'bigint')}`;
    case 'item':
      return `${row}.item_id = ${bound.bind(condition.id, 'bigint')}`;
  }
}

/** In code points. What LIKE costs at most is their number times the length of the text. */
const MAX_LIKE = 16;

/**
 * LIKE finds the beginning of a long text, and an automaton the whole of it: LIKE alone compares `aaa…ab` at every place
 * of `aaa…` to its end, and takes seconds for a few megabytes (docs/decisions/0030).
 */
function searched(text: string, bound: Bound, column: string): string {
  const beginning = cut(text, MAX_LIKE);
  const likely = `${column} LIKE ${bound.bind(containing(beginning), 'text')}`;
  return beginning === text
    ? likely
    : `(${likely} AND ${column} ~ ${bound.bind(`***=${text}`, 'text')})`;
}

/** A LIKE pattern in which the text stands for itself. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
