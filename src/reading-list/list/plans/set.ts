import type { Condition } from '../narrowing.js';
import type { Bound } from './bound.js';
import { lookedUp } from './look-up.js';
import type { PageQuery } from './page-query.js';
import { limited, ordered } from './plain.js';
import { answeredBy, setOf } from './sets.js';

/** Reads all that pass one condition, tests the others on the rows, sorts what is left. */
export function setKeys(query: PageQuery, by: Condition, bound: Bound): string {
  const { conditions, sortKey } = query;
  const answered = answeredBy(by, conditions);
  const rest = conditions.filter((one) => !answered.includes(one));
  const set = setOf(by, conditions, bound);
  if (rest.length === 0 && sortKey.column === 'time_added') {
    return `SELECT s.item_id, s.time_added AS key FROM (${set}) s
      ${ordered(query, 's.time_added', 's.item_id')} ${limited(query, bound)}`;
  }
  const columns = `i.${sortKey.column} AS key`;
  const rows = lookedUp({ id: 's.item_id', columns, hasTexts: query.hasTexts }, rest, bound);
  return `SELECT s.item_id, i.key FROM (${set} OFFSET 0) s ${rows}
    ${ordered(query, 'i.key', 's.item_id')} ${limited(query, bound)}`;
}
