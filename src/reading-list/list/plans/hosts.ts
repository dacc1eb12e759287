import type { Bound } from './bound.js';
import { and } from './conditions.js';
import type { PageQuery } from './page-query.js';
import { behind, limited, ordered } from './plain.js';

/** The hosts of a domain one after the other, from the index: one descent for each, however many items it has. */
const HOSTS = (from: string, below: string): string => `
  WITH RECURSIVE host AS (
    (SELECT site FROM items WHERE user_id = $1 AND site >= ${from} AND site < ${below} ORDER BY site LIMIT 1)
    UNION ALL
    SELECT (SELECT i.site FROM items i WHERE i.user_id = $1 AND i.site > host.site AND i.site < ${below}
            ORDER BY i.site LIMIT 1)
    FROM host WHERE host.site IS NOT NULL
  )
  SELECT reverse(left(site, -1)) AS name FROM host WHERE site IS NOT NULL`;

/** The items of a domain in the order of their URLs: each host is one stretch of the index. */
export function keysByHost(query: PageQuery, bound: Bound): string {
  const domain = query.conditions.find((one) => one.kind === 'domain');
  const rest = query.conditions.filter((one) => one !== domain);
  const hosts = HOSTS(bound.bind(domain?.from, 'text'), bound.bind(domain?.below, 'text'));
  return `SELECT u.item_id, u.key FROM (${hosts}) host CROSS JOIN LATERAL (
      SELECT i.item_id, i.url_key AS key FROM items i
      WHERE i.user_id = $1 AND i.url_key >= host.name || '/' AND i.url_key < host.name || '0'${and(rest, bound, 'i')}${behind(query, 'i.url_key', 'i.item_id', bound)}
      ${ordered(query, 'i.url_key', 'i.item_id')} LIMIT ${bound.bind(query.page.offset + query.page.count, 'bigint')}) u
    ${ordered(query, 'u.key', 'u.item_id')} ${limited(query, bound)}`;
}
