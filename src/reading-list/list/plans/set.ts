import type { SetPlan } from '../item.plan.js';
import type { Condition, ConditionKind } from '../narrowing.js';
import type { Bound } from './bound.js';
import { and } from './conditions.js';
import { isBeside, isInOrder, isInSet, isOrderOfTexts } from './indexes.js';
import { lookedUp, lookedUpFor } from './look-up.js';
import type { PageQuery } from './page-query.js';
import { behind, limited, ordered } from './plain.js';
import { setOf, sieve } from './sets.js';
import { entriesInOrder } from './walk.js';

/** True when the index of a set has the key to sort by. */
export const isInIndex = (column: PageQuery['sortKey']['column'], by: Condition): boolean =>
  column === 'added_order' || (by.kind === 'search' && isOrderOfTexts(column));

/** Reads all that pass one condition, tests the others, sorts what is left. */
export function setKeys(query: PageQuery, plan: SetPlan, bound: Bound): string {
  const by = conditionOf(query, plan.by);
  const keys =
    plan.reads === 'rows'
      ? fromRows(query, { by, sieves: plan.sieves.map((kind) => conditionOf(query, kind)) }, bound)
      : fromOrder(query, by, bound);
  return `${keys} ${ordered(query, 'key', 'item_id')} ${limited(query, bound)}`;
}

function conditionOf({ conditions }: PageQuery, kind: ConditionKind): Condition {
  const found = conditions.find((one) => one.kind === kind);
  if (found === undefined) {
    throw new Error(`The query has no condition "${kind}".`);
  }
  return found;
}

/** Looks up the row of each that is left. */
function fromRows(
  query: PageQuery,
  { by, sieves }: { readonly by: Condition; readonly sieves: readonly Condition[] },
  bound: Bound,
): string {
  const { sortKey } = query;
  const rest = query.conditions.filter((one) => !isInSet(one, by) && !sieves.includes(one));
  const onEntry = rest.filter((one) => isBeside(one, 'added_order'));
  const onRow = rest.filter((one) => !onEntry.includes(one));
  const isKeyKnown = isInIndex(sortKey.column, by);
  const set = setOf(by, query.conditions, bound);
  const rows = isKeyKnown
    ? lookedUpFor({ id: 's.item_id', hasTexts: query.hasTexts }, onRow, bound)
    : keyedRows(query, onRow, bound);
  const sieved = sieves.map((one) => ` AND ${sieve(one, bound, 's')}`).join('');
  const key = `${isKeyKnown ? 's' : 'keyed'}.${sortKey.column}`;
  const remaining = behind(query, key, 's.item_id', bound);
  return `SELECT s.item_id, ${key} AS key
    FROM (${set} OFFSET 0) s ${rows} WHERE true${remaining}${sieved}${and(onEntry, bound, 's')}`;
}

/** The rows with the key to sort by: the narrow ones, if they have it. */
function keyedRows(
  { sortKey, hasTexts }: PageQuery,
  onRow: readonly Condition[],
  bound: Bound,
): string {
  const texts = onRow.filter(({ kind }) => hasTexts && kind === 'search');
  const others = onRow.filter((one) => !texts.includes(one));
  const row = { id: 's.item_id', columns: `i.${sortKey.column}`, as: 'keyed' };
  return hasTexts && others.length === 0 && isOrderOfTexts(sortKey.column)
    ? lookedUp({ ...row, table: 'item_search' }, texts, bound)
    : `${lookedUpFor({ id: 's.item_id', hasTexts }, texts, bound)}
       ${lookedUp({ ...row, table: 'items' }, others, bound)}`;
}

/** Follows the index of the order beside the set: less than to look up each of many rows. */
function fromOrder(query: PageQuery, by: Condition, bound: Bound): string {
  const { conditions, sortKey, hasTexts } = query;
  const rest = conditions.filter((one) => one !== by);
  const inIndex = rest.filter((one) => isInOrder(one, sortKey.column));
  const onEntry = rest.filter((one) => isBeside(one, sortKey.column));
  const onRow = rest.filter((one) => !inIndex.includes(one) && !onEntry.includes(one));
  return `SELECT o.item_id, o.key
    FROM (${entriesInOrder(query, { over: 'items', tests: inIndex }, bound)} OFFSET 0) o
    ${lookedUpFor({ id: 'o.item_id', hasTexts }, onRow, bound)}
    WHERE ${sieve(by, bound, 'o')}${and(onEntry, bound, 'o')}`;
}
