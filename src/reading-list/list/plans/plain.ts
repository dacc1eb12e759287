import type { Bound } from './bound.js';
import { where } from './conditions.js';
import type { PageQuery } from './page-query.js';

/** The order of keys and ids under these names. */
export const ordered = ({ sortKey }: PageQuery, key: string, id: string): string =>
  `ORDER BY ${key} ${sortKey.direction}, ${id} ${sortKey.direction}`;

export const limited = ({ page }: PageQuery, bound: Bound): string =>
  `LIMIT ${bound.bind(page.count, 'bigint')} OFFSET ${bound.bind(page.offset, 'bigint')}`;

/** One WHERE: best for a short list, where every way is short. */
export function plainKeys(query: PageQuery, bound: Bound): string {
  const { column } = query.sortKey;
  return `SELECT i.item_id, i.${column} AS key FROM items i WHERE ${where(query.conditions, bound, 'i')}
    ${ordered(query, `i.${column}`, 'i.item_id')} ${limited(query, bound)}`;
}
