import type { Bound } from './bound-values.js';
import type { PageQuery } from './conditions.js';
import { sortType } from './item-order.js';

/** Returns the ORDER BY clause of a page. `key` and `id` are the SQL names of the sort key and the item id. */
export const ordered = ({ sortKey }: PageQuery, key: string, id: string): string =>
  `ORDER BY ${key} ${sortKey.direction}, ${id} ${sortKey.direction}`;

/**
 * The name of the CTE with the stored number of items. It is used if a page is read from the end of
 * the list.
 */
export const KEPT = 'kept';

export function limited({ page, fromEnd }: PageQuery, bound: Bound): string {
  const count = bound.bind(page.count, 'bigint');
  if (fromEnd === undefined) {
    return `LIMIT ${count} OFFSET ${bound.bind(page.offset, 'bigint')}`;
  }
  const left = `(SELECT items FROM ${KEPT}) - ${bound.bind(fromEnd.offset, 'bigint')}`;
  return `LIMIT greatest(least(${count}, ${left}), 0) OFFSET greatest(${left} - ${count}, 0)`;
}

/**
 * Returns an SQL condition for the rows after the start position of the page, or "" if the page has no start position.
 */
export function behind(query: PageQuery, key: string, id: string, bound: Bound): string {
  const { page, sortKey } = query;
  if (page.after === undefined) {
    return '';
  }
  if (page.after.kind === 'tombstone') {
    return ' AND false';
  }
  const value = bound.bind(page.after.key, sortType(sortKey.column));
  const itemId = bound.bind(page.after.itemId, 'bigint');
  return ` AND (${key}, ${id}) ${sortKey.direction === 'ASC' ? '>' : '<'} (${value}, ${itemId})`;
}
