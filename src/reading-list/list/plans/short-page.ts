import type { Statement } from '../../../database/statements.js';
import type { Bound } from './bound.js';
import type { PageQuery } from './page-query.js';
import { plainKeys } from './plain.js';
import { snapshot } from './snapshot.js';
import { countedTotal, keptTotal, tombstoneTotal } from './totals.js';

/** The whole answer for a short list, where every way to the page is short. */
export const shortPage = (query: PageQuery): Statement =>
  snapshot(query, (bound) => ({
    keys: plainKeys(query, bound),
    head: query.withTotal ? [`${total(query, bound)} AS total`] : [],
  }));

function total({ conditions }: PageQuery, bound: Bound): string {
  const items = keptTotal(conditions, bound) ?? countedTotal(conditions, bound);
  return `(${items} + ${tombstoneTotal(conditions, bound)})::int`;
}
