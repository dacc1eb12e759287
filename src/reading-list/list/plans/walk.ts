import type { WalkPlan } from '../item.plan.js';
import type { Condition } from '../narrowing.js';
import type { Bound } from './bound.js';
import { and, tested } from './conditions.js';
import { lookedUp } from './look-up.js';
import type { PageQuery } from './page-query.js';
import { limited, ordered } from './plain.js';
import { sieve } from './sets.js';

/** The predicates of the partial indexes, in the words that the planner looks for. */
const PREDICATES: Partial<Record<PageQuery['sortKey']['column'], string>> = {
  time_read: ' AND o.status = 1',
  time_favorited: ' AND o.favorite = 1',
};

/** Follows an index in the order wanted and stops when the page is full. */
export function walkedKeys(query: PageQuery, walk: WalkPlan, bound: Bound): string {
  const inOrder = query.conditions.filter((one) => isWalked(one, query, walk));
  const texts = inOrder.filter(({ kind }) => walk.over === 'item_search' && kind === 'search');
  const rest = query.conditions.filter((one) => !inOrder.includes(one));
  const tests = inOrder.filter((one) => !texts.includes(one));
  const entries = entriesInOrder(query, { walk, conditions: tests }, bound);
  if (rest.length === 0 && texts.length === 0) {
    return `${entries} ${limited(query, bound)}`;
  }
  const window =
    walk.window === undefined ? 'OFFSET 0' : `LIMIT ${bound.bind(walk.window, 'bigint')}`;
  const rows = lookedUp({ id: 'w.item_id', hasTexts: query.hasTexts }, rest, bound);
  return `SELECT w.item_id, w.key FROM (${entries} ${window}) w ${rows}
    WHERE true${and(texts, bound, 'w')} ${ordered(query, 'w.key', 'w.item_id')} ${limited(query, bound)}`;
}

/** True when the index of the walk, or a sieve of ids, answers the condition. */
export function isWalked({ kind }: Condition, { sortKey }: PageQuery, walk: WalkPlan): boolean {
  if (walk.sieves.includes(kind)) {
    return true;
  }
  switch (walk.over) {
    case 'item_tags':
      return kind === 'tag';
    case 'item_search':
      return kind === 'search';
    case 'items':
      return kind === 'facet' || (kind === 'updatedBefore' && sortKey.column === 'time_added');
  }
}

/** True when an index of `items` is in this order: those of two times hold only the items that have one. */
export function isWalkable({ sortKey, conditions }: PageQuery): boolean {
  const needed = { time_read: 1, time_favorited: 2, time_added: 0, title_key: 0, url_key: 0 };
  const facet = needed[sortKey.column];
  return (
    facet === 0 ||
    conditions.some((one) => one.kind === 'facet' && (one.mask & one.value & facet) !== 0)
  );
}

function entriesInOrder(
  query: PageQuery,
  { walk, conditions }: { walk: WalkPlan; conditions: readonly Condition[] },
  bound: Bound,
): string {
  const { column } = query.sortKey;
  const sieved = conditions.filter(({ kind }) => walk.sieves.includes(kind));
  const tests = conditions.filter((one) => !sieved.includes(one));
  const sieves = sieved.map((one) => ` AND ${sieve(one, bound, 'o')}`).join('');
  const order = ordered(query, `o.${column}`, 'o.item_id');
  const predicate = walk.over === 'items' ? (PREDICATES[column] ?? '') : '';
  const text = walk.over === 'item_search' ? ', o.search_text' : '';
  return `SELECT o.item_id, o.${column} AS key${text} FROM ${walk.over} o
    WHERE o.user_id = $1${predicate}${tests.map((one) => ` AND ${testedIn(walk, one, bound)}`).join('')}${sieves} ${order}`;
}

/** On an entry of the index that is walked, which names the tag itself. */
const testedIn = ({ over }: WalkPlan, condition: Condition, bound: Bound): string =>
  over === 'item_tags' && condition.kind === 'tag'
    ? `o.tag_id = ${bound.bind(condition.id, 'bigint')}`
    : tested(condition, bound, 'o');
