import type { Statement } from '../../../database/statements.js';
import type { Condition } from '../narrowing.js';
import { Bound } from './bound.js';
import { and } from './conditions.js';
import { isBeside } from './indexes.js';
import { lookedUpFor } from './look-up.js';
import type { PageQuery } from './page-query.js';
import { answeredBy, setOf, sieve } from './sets.js';
import { countedTotal, keptTotal, tombstoneTotal } from './totals.js';

/** How to count: all that pass one condition, of which some others are looked up in sets of ids. */
export interface CountPlan {
  readonly by: Condition | undefined;
  readonly sieves: readonly Condition[];
}

/** The number of items that pass, kept or counted, and of the deletions that a delta carries. */
export function longTotal(query: PageQuery, plan: CountPlan): Statement {
  const { conditions } = query;
  const bound = new Bound(query.userId);
  const items = keptTotal(conditions, bound) ?? plannedCount(query, plan, bound);
  const text = `SELECT (${items} + ${tombstoneTotal(conditions, bound)})::int AS total`;
  return { text, values: bound.values };
}

function plannedCount(query: PageQuery, { by, sieves }: CountPlan, bound: Bound): string {
  const { conditions } = query;
  if (by === undefined) {
    return countedTotal(conditions, bound);
  }
  const answered = [...answeredBy(by, conditions), ...sieves];
  const rest = conditions.filter((one) => !answered.includes(one));
  const set = setOf(by, conditions, bound);
  const sieved = sieves
    .filter((one) => !answeredBy(by, conditions).includes(one))
    .map((one) => ` AND ${sieve(one, bound, 's')}`);
  const onEntry = rest.filter((one) => isBeside(one, 'added_order'));
  const onRow = rest.filter((one) => !onEntry.includes(one));
  const rows = lookedUpFor({ id: 's.item_id', hasTexts: query.hasTexts }, onRow, bound);
  const tested = `${sieved.join('')}${and(onEntry, bound, 's')}`;
  return `(SELECT count(*) FROM (${set} OFFSET 0) s ${rows} WHERE true${tested})`;
}
