import { isTextKey } from '../page-position.js';
import type { Bound } from './bound.js';
import { where } from './conditions.js';
import type { PageQuery } from './page-query.js';

/** The order of keys and ids under these names. */
export const ordered = ({ sortKey }: PageQuery, key: string, id: string): string =>
  `ORDER BY ${key} ${sortKey.direction}, ${id} ${sortKey.direction}`;

export const limited = ({ page }: PageQuery, bound: Bound): string =>
  `LIMIT ${bound.bind(page.count, 'bigint')} OFFSET ${bound.bind(page.offset, 'bigint')}`;

/** A further condition: what comes behind the position from which the page is counted. */
export function behind(query: PageQuery, key: string, id: string, bound: Bound): string {
  const { page, sortKey } = query;
  if (page.after === undefined) {
    return '';
  }
  if (page.after.kind === 'tombstone') {
    return ' AND false';
  }
  const value = bound.bind(page.after.key, isTextKey(sortKey.column) ? 'text' : 'bigint');
  const itemId = bound.bind(page.after.itemId, 'bigint');
  return ` AND (${key}, ${id}) ${sortKey.direction === 'ASC' ? '>' : '<'} (${value}, ${itemId})`;
}

/** One WHERE: best for a short list, where every way is short. */
export function plainKeys(query: PageQuery, bound: Bound): string {
  const { column } = query.sortKey;
  return `SELECT i.item_id, i.${column} AS key FROM items i WHERE ${where(query.conditions, bound, 'i')}${behind(query, `i.${column}`, 'i.item_id', bound)}
    ${ordered(query, `i.${column}`, 'i.item_id')} ${limited(query, bound)}`;
}
