import type { SetPlan } from '../item.plan.js';
import type { Condition } from '../narrowing.js';
import type { Bound } from './bound.js';
import { and } from './conditions.js';
import { hasTime, isInOrder, isInSet, isOrderOfTexts } from './indexes.js';
import { lookedUp, lookedUpFor } from './look-up.js';
import type { PageQuery } from './page-query.js';
import { limited, ordered } from './plain.js';
import { setOf, sieve } from './sets.js';
import { entriesInOrder } from './walk.js';

/** True when the index of the set knows all that is wanted: the other conditions, and the key to sort by. */
export const isEnough = ({ conditions, sortKey }: PageQuery, by: Condition): boolean =>
  conditions.every((one) => isInSet(one, by)) && isInIndex(sortKey.column, by);

const isInIndex = (column: PageQuery['sortKey']['column'], by: Condition): boolean =>
  column === 'time_added' || (by.kind === 'search' && isOrderOfTexts(column));

/** True when the narrow rows with the texts know all that the set does not. */
export const needsTextsAlone = (
  { conditions, sortKey, hasTexts }: PageQuery,
  by: Condition,
): boolean =>
  hasTexts &&
  isOrderOfTexts(sortKey.column) &&
  conditions.every((one) => isInSet(one, by) || one.kind === 'search');

/** Reads all that pass one condition, tests the others, sorts what is left. */
export function setKeys(
  query: PageQuery,
  { by, reads }: { readonly by: Condition; readonly reads: SetPlan['reads'] },
  bound: Bound,
): string {
  const keys = isEnough(query, by)
    ? `SELECT s.item_id, s.${query.sortKey.column} AS key FROM (${setOf(by, query.conditions, bound)}) s`
    : reads === 'rows'
      ? fromRows(query, by, bound)
      : fromOrder(query, by, bound);
  return `${keys} ${ordered(query, 'key', 'item_id')} ${limited(query, bound)}`;
}

/** Looks up the row of each. */
function fromRows(query: PageQuery, by: Condition, bound: Bound): string {
  const { conditions, sortKey, hasTexts } = query;
  const rest = conditions.filter((one) => !isInSet(one, by));
  const texts = rest.filter(({ kind }) => hasTexts && kind === 'search');
  const others = rest.filter((one) => !texts.includes(one));
  const row = { id: 's.item_id', columns: `i.${sortKey.column} AS key`, as: 'row' } as const;
  const rows = needsTextsAlone(query, by)
    ? lookedUp({ ...row, table: 'item_search' }, texts, bound)
    : `${lookedUpFor({ id: 's.item_id', hasTexts }, texts, bound)}
       ${lookedUp({ ...row, table: 'items' }, others, bound)}`;
  return `SELECT s.item_id, row.key FROM (${setOf(by, conditions, bound)} OFFSET 0) s ${rows}`;
}

/** Follows the index of the order beside the set: less than to look up each of many rows. */
function fromOrder(query: PageQuery, by: Condition, bound: Bound): string {
  const { conditions, sortKey, hasTexts } = query;
  const rest = conditions.filter((one) => one !== by);
  const inIndex = rest.filter((one) => isInOrder(one, sortKey.column));
  const onEntry = rest.filter(({ kind }) => kind === 'tag' && hasTime(sortKey.column));
  const onRow = rest.filter((one) => !inIndex.includes(one) && !onEntry.includes(one));
  return `SELECT o.item_id, o.key
    FROM (${entriesInOrder(query, { over: 'items', tests: inIndex }, bound)} OFFSET 0) o
    ${lookedUpFor({ id: 'o.item_id', hasTexts }, onRow, bound)}
    WHERE ${sieve(by, bound, 'o')}${and(onEntry, bound, 'o')}`;
}
