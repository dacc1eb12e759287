import type { Statement } from '../../../database/statements.js';
import { ITEM_COLUMNS } from '../item-columns.js';
import { Bound } from './bound.js';
import type { PageQuery } from './page-query.js';
import { countedTotal } from './totals.js';

/** What every item shows. The fence keeps the planner at one descent of the key a row. */
const ROWS = `LEFT JOIN LATERAL (
    SELECT ${ITEM_COLUMNS.map((column) => `i.${column}`).join(', ')}
    FROM items i WHERE i.user_id = $1 AND i.item_id = page.item_id OFFSET 0) row ON true`;

/** A writer that nobody sees yet has a stamp above this one: it ends within 30 seconds (docs/decisions/0015). */
const SINCE = `greatest((SELECT stamp FROM list), floor(extract(epoch FROM now()))::bigint - 60)`;

export interface PageParts {
  /** A statement that gives `item_id` and `key`. */
  readonly keys: string;
  /** Further members of the head: expressions with names. */
  readonly head: readonly string[];
  /** True, in SQL, when the page is left to a later statement: then nothing is counted for it. */
  readonly isDeferred?: string;
}

/** One statement, hence one moment: the keys of a page, their rows, the stamp, what was deleted. */
export function snapshot(query: PageQuery, partsOf: (bound: Bound) => PageParts): Statement {
  const bound = new Bound(query.userId);
  const { keys, head, isDeferred = 'false' } = partsOf(bound);
  const { direction } = query.sortKey;
  const text = `
    WITH list AS MATERIALIZED (
      SELECT stamp, item_count, facet_counts, has_search_index FROM lists WHERE user_id = $1
    ), page AS MATERIALIZED (
      SELECT item_id, row_number() OVER (ORDER BY key ${direction}, item_id ${direction}) AS place FROM (${keys}) keys
    ), head AS (
      SELECT 1::bigint AS place, ${[`${SINCE} AS since`, ...tombstones(query, isDeferred, bound), ...head].join(', ')}
    )
    SELECT head.*, row.* FROM head FULL JOIN page USING (place) ${ROWS} ORDER BY place`;
  return { text, values: bound.values };
}

/** They follow the last item, so there are none while the page is full of items. */
function tombstones({ conditions, page }: PageQuery, isDeferred: string, bound: Bound): string[] {
  const since = conditions.find((one) => one.kind === 'since');
  if (since === undefined) {
    return [];
  }
  const offset = bound.bind(page.offset, 'bigint');
  const itemsBefore = `CASE WHEN ${offset} = 0 OR (${isDeferred}) IS TRUE OR EXISTS (SELECT FROM page) THEN ${offset}
    ELSE ${countedTotal(conditions, bound)} END`;
  return [
    `ARRAY(SELECT item_id::text FROM tombstones
      WHERE user_id = $1 AND stamp > ${bound.bind(since.stamp, 'bigint')} ORDER BY stamp, item_id
      LIMIT ${bound.bind(page.count, 'bigint')} - (SELECT count(*) FROM page)
      OFFSET greatest(${offset} - ${itemsBefore}, 0)) AS tombstones`,
  ];
}
