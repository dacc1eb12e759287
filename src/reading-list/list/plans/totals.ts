import type { Condition } from '../narrowing.js';
import type { Bound } from './bound.js';
import { where } from './conditions.js';
import { ANNOTATED } from './sets.js';

const ALL = `coalesce((SELECT item_count FROM lists WHERE user_id = $1), 0)`;
const MARKED = `(SELECT count(*) FROM (${ANNOTATED}) marked)`;

/** The number of items that pass, for conditions whose numbers the list keeps or soon has; else undefined. */
export function keptTotal(conditions: readonly Condition[], bound: Bound): string | undefined {
  const [one, another] = conditions;
  if (one === undefined) {
    return ALL;
  }
  return another === undefined ? keptOf(one, bound) : undefined;
}

function keptOf(one: Condition, bound: Bound): string | undefined {
  switch (one.kind) {
    case 'tag':
      return `coalesce((SELECT item_count FROM tags WHERE user_id = $1 AND tag_id = ${bound.bind(one.id, 'bigint')}), 0)`;
    case 'facet':
      return `coalesce((SELECT sum(size) FROM lists CROSS JOIN LATERAL unnest(facet_counts) WITH ORDINALITY f (size, place)
      WHERE user_id = $1 AND ((place - 1)::int & ${bound.bind(one.mask, 'int')}) = ${bound.bind(one.value, 'int')}), 0)`;
    case 'annotated':
      return one.wanted ? MARKED : `(${ALL} - ${MARKED})`;
    default:
      return undefined;
  }
}

/** The number of items that pass, counted. */
export const countedTotal = (conditions: readonly Condition[], bound: Bound): string =>
  `(SELECT count(*) FROM items i WHERE ${where(conditions, bound, 'i')})`;

/** The number of deletions that a delta carries. */
export function tombstoneTotal(conditions: readonly Condition[], bound: Bound): string {
  const since = conditions.find((one) => one.kind === 'since');
  return since?.withTombstones !== true
    ? '0'
    : `(SELECT count(*) FROM tombstones WHERE user_id = $1 AND stamp > ${bound.bind(since.stamp, 'bigint')})`;
}
