import type { Statement } from '../../platform/database/query-rows.js';
import { Bound } from './bound-values.js';
import { type Condition, type PageQuery } from './conditions.js';
import { and, lookedUpFor, where } from './conditions.sql.js';
import { ANNOTATED, answeredBy, semiJoin, setOf } from './item-sets.sql.js';
import { isBesideSet } from './page-plan.js';
import type { CountPlan } from './page-planner.js';

const ALL = `coalesce((SELECT item_count FROM lists WHERE user_id = $1), 0)`;
const MARKED = `(SELECT count(*) FROM (${ANNOTATED}) marked)`;

/**
 * Returns SQL for the number of items that meet the conditions, if the list stores this number or PostgreSQL can count
 * the items quickly. Otherwise, returns undefined.
 */
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

/** Counts the items that meet all conditions. */
export const countedTotal = (conditions: readonly Condition[], bound: Bound): string =>
  `(SELECT count(*) FROM items i WHERE ${where(conditions, bound, 'i')})`;

/** Counts the records of items that were deleted since the requested version. */
export function tombstoneTotal(conditions: readonly Condition[], bound: Bound): string {
  const since = conditions.find((one) => one.kind === 'since');
  return since?.withTombstones !== true
    ? '0'
    : `(SELECT count(*) FROM tombstones WHERE user_id = $1 AND stamp > ${bound.bind(since.version, 'bigint')})`;
}

/**
 * Returns a statement for the total number of results in a long list: the items that meet the conditions, plus the
 * records of deleted items for a request with `since`.
 */
export function longTotal(query: PageQuery, plan: CountPlan): Statement {
  const { conditions } = query;
  const bound = new Bound(query.userId);
  const items = keptTotal(conditions, bound) ?? plannedCount(query, plan, bound);
  const text = `SELECT (${items} + ${tombstoneTotal(conditions, bound)})::int AS total`;
  return { text, values: bound.values };
}

function plannedCount(query: PageQuery, { by, semiJoins }: CountPlan, bound: Bound): string {
  const { conditions } = query;
  if (by === undefined) {
    return countedTotal(conditions, bound);
  }
  const answered = [...answeredBy(by, conditions), ...semiJoins];
  const rest = conditions.filter((one) => !answered.includes(one));
  const set = setOf(by, conditions, bound);
  const joined = semiJoins
    .filter((one) => !answeredBy(by, conditions).includes(one))
    .map((one) => ` AND ${semiJoin(one, bound, 's')}`);
  const onEntry = rest.filter((one) => isBesideSet(one, by));
  const onRow = rest.filter((one) => !onEntry.includes(one));
  const rows = lookedUpFor({ id: 's.item_id', hasTexts: query.hasTexts }, onRow, bound);
  const tested = `${joined.join('')}${and(onEntry, bound, 's')}`;
  return `(SELECT count(*) FROM (${set} OFFSET 0) s ${rows} WHERE true${tested})`;
}
