import type { WalkPlan } from '../item.plan.js';
import { type Condition, TAGGED_ONES } from '../narrowing.js';
import type { Bound } from './bound.js';
import { and, tested } from './conditions.js';
import { hasTime, isBeside, isInOrder } from './indexes.js';
import { lookedUpFor } from './look-up.js';
import type { PageQuery } from './page-query.js';
import { behind, limited, ordered } from './plain.js';

/** The predicates of the partial indexes, in the words that the planner looks for. */
const PREDICATES: Partial<Record<PageQuery['sortKey']['column'], string>> = {
  time_read: ' AND o.status = 1',
  time_favorited: ' AND o.favorite = 1',
};

/** What answers each condition while an index is followed: its entry, something near it, or the row of the item. */
export interface Tests {
  readonly inIndex: readonly Condition[];
  readonly onEntry: readonly Condition[];
  readonly onRow: readonly Condition[];
}

export function testsOf({ conditions, sortKey }: PageQuery, { over }: WalkPlan): Tests {
  const inIndex = conditions.filter((one) =>
    over === 'items' ? isInOrder(one, sortKey.column) : over === 'item_tags' && one.kind === 'tag',
  );
  const onEntry = conditions.filter(
    (one) =>
      !inIndex.includes(one) &&
      ((over === 'item_search' && one.kind === 'search') || isBeside(one, sortKey.column)),
  );
  const onRow = conditions.filter((one) => !inIndex.includes(one) && !onEntry.includes(one));
  return { inIndex, onEntry, onRow };
}

/** Follows an index in the order wanted and stops when the page is full. */
export function walkedKeys(query: PageQuery, walk: WalkPlan, bound: Bound): string {
  const { inIndex, onEntry, onRow } = testsOf(query, walk);
  const entries = entriesInOrder(query, { over: walk.over, tests: inIndex }, bound);
  if (onEntry.length + onRow.length === 0) {
    return `${entries} ${limited(query, bound)}`;
  }
  const window =
    walk.window === undefined ? 'OFFSET 0' : `LIMIT ${bound.bind(walk.window, 'bigint')}`;
  const rows = lookedUpFor({ id: 'w.item_id', hasTexts: query.hasTexts }, onRow, bound);
  return `SELECT w.item_id, w.key FROM (${entries} ${window}) w ${rows}
    WHERE true${and(onEntry, bound, 'w')} ${ordered(query, 'w.key', 'w.item_id')} ${limited(query, bound)}`;
}

/** The entries of an index that pass what it knows, with what else is tested on them. */
export function entriesInOrder(
  query: PageQuery,
  { over, tests }: { readonly over: WalkPlan['over']; readonly tests: readonly Condition[] },
  bound: Bound,
): string {
  const { column } = query.sortKey;
  const isTagged = over === 'items' && query.conditions.some(({ kind }) => kind === 'tag');
  const columns = [
    `o.item_id, o.${column} AS key`,
    ...(hasTime(column) ? ['o.added_order'] : []),
    ...(over === 'item_search' ? ['o.search_text'] : []),
  ];
  const all = [...tests, ...(isTagged ? [TAGGED_ONES] : [])];
  const where = all.map((one) => ` AND ${testedIn(over, one, bound)}`).join('');
  const predicate = over === 'items' ? (PREDICATES[column] ?? '') : '';
  const start = behind(query, `o.${column}`, 'o.item_id', bound);
  return `SELECT ${columns.join(', ')} FROM ${over} o
    WHERE o.user_id = $1${predicate}${start}${where} ${ordered(query, `o.${column}`, 'o.item_id')}`;
}

/** On an entry of the index that is walked; that of the tags names the tag itself. */
function testedIn(over: WalkPlan['over'], condition: Condition, bound: Bound): string {
  if (over === 'item_tags' && condition.kind === 'tag') {
    return `o.tag_id = ${bound.bind(condition.id, 'bigint')}`;
  }
  // The sum keeps the planner from the index on the stamp, and from sorting half of the list.
  return condition.kind === 'since'
    ? `o.stamp + 0 > ${bound.bind(condition.stamp, 'bigint')}`
    : tested(condition, bound, 'o');
}
