import type { CompiledTextQuery } from '../texts/compiled-query.js';
import type { Bound } from './bound-values.js';
import type { PageOfItems } from './items-wanted.js';

/**
 * Search results are ranked in rounds of this many items, the newest items first. Only the rounds
 * that overlap the requested page are ranked, because ranking must read the words of each item.
 */
const RANKED_AT_ONCE = 200;

/** The search that determines the ranks, and the requested page of the results. */
export interface Ranking {
  readonly by: CompiledTextQuery;
  readonly page: PageOfItems;
}

/** Returns the range of items to rank for a page: all rounds that overlap the page. */
export function roundsOf({ count, offset }: PageOfItems): PageOfItems {
  const before = Math.floor(offset / RANKED_AT_ONCE);
  const after = Math.ceil((offset + count) / RANKED_AT_ONCE);
  return { count: (after - before) * RANKED_AT_ONCE, offset: before * RANKED_AT_ONCE };
}

/**
 * Returns SQL for the rank of an item. Matches in titles have the most weight, followed by addresses, excerpts and
 * articles. Ranks are divided by the logarithm of the length of the text, so that long articles do not rank higher only
 * because of their length.
 */
const rankOf = (by: CompiledTextQuery, bound: Bound): string =>
  `coalesce((SELECT ts_rank(t.words, ${bound.bind(by.rank, 'tsquery')}, 1)
    FROM item_texts t WHERE t.user_id = $1 AND t.item_id = newest.item_id), 0)`;

/**
 * Returns SQL for the requested page of the items in `newest`. Sorts by round (see RANKED_AT_ONCE),
 * then by rank, then by time.
 */
export const rankedKeys = ({ by, page }: Ranking, bound: Bound): string => `
  SELECT item_id, ARRAY[-((place - 1) / ${RANKED_AT_ONCE}), ${rankOf(by, bound)}, key]::float8[] AS key
  FROM (SELECT item_id, key, row_number() OVER (ORDER BY key DESC, item_id DESC) AS place FROM newest) newest
  ORDER BY key DESC, item_id DESC
  LIMIT ${bound.bind(page.count, 'bigint')} OFFSET ${bound.bind(page.offset % RANKED_AT_ONCE, 'bigint')}`;
