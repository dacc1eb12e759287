import type { Statement } from '../../../database/statements.js';
import type { KeptSizes } from '../list-sizes.js';
import type { Bound } from './bound.js';
import type { PageQuery } from './page-query.js';
import { plainKeys } from './plain.js';
import { type PageParts, snapshot } from './snapshot.js';
import { countedTotal, keptTotal, tombstoneTotal } from './totals.js';

/** What the list knows about itself, for choosing a plan; null when the list is short, which needs none. */
export interface OpeningRow {
  readonly item_count: number | null;
  readonly stamp: string | null;
  readonly facet_counts: readonly number[] | null;
  readonly tagged: number | null;
  readonly has_search_index: boolean | null;
}

/** Undefined for a short list, whose answer is complete. */
export function keptSizes(row: Partial<OpeningRow> = {}): KeptSizes | undefined {
  const {
    item_count: items,
    stamp,
    facet_counts: facetCounts,
    tagged,
    has_search_index: indexed,
  } = row;
  return typeof items === 'number'
    ? {
        items,
        stamp: Number(stamp),
        facetCounts: facetCounts ?? [],
        tagged: tagged ?? 0,
        hasSearchIndex: indexed === true,
      }
    : undefined;
}

/** The whole answer for a list of at most so many items, and for a longer one what to know before asking again. */
export const opening = (query: PageQuery, longest: number): Statement =>
  snapshot(query, (bound) => openingParts(query, longest, bound));

function openingParts(query: PageQuery, longest: number, bound: Bound): PageParts {
  const isLong = `(SELECT item_count FROM list) > ${bound.bind(longest, 'int')}`;
  const known = (column: string): string =>
    `(SELECT ${column} FROM list WHERE ${isLong}) AS ${column}`;
  const tag = query.conditions.find((one) => one.kind === 'tag');
  const tagged =
    tag === undefined
      ? 'NULL::int'
      : `(SELECT item_count FROM tags WHERE user_id = $1 AND tag_id = ${bound.bind(tag.id, 'bigint')})`;
  return {
    keys: `SELECT * FROM (${plainKeys(query, bound)}) short WHERE (${isLong}) IS NOT TRUE`,
    isDeferred: isLong,
    head: [
      known('item_count'),
      known('stamp'),
      known('facet_counts'),
      known('has_search_index'),
      `${tagged} AS tagged`,
      ...(query.withTotal
        ? [`CASE WHEN (${isLong}) IS NOT TRUE THEN ${total(query, bound)} END AS total`]
        : []),
    ],
  };
}

function total({ conditions }: PageQuery, bound: Bound): string {
  const items = keptTotal(conditions, bound) ?? countedTotal(conditions, bound);
  return `(${items} + ${tombstoneTotal(conditions, bound)})::int`;
}
