import { conditionsOf, type PageQuery } from '../../src/reading-list/query/conditions.js';
import { COSTS } from '../../src/reading-list/query/costs.js';
import { sortKeyOf } from '../../src/reading-list/query/item-order.js';
import type { ItemFilter, ItemsWanted } from '../../src/reading-list/query/items-wanted.js';
import { listSizes } from '../../src/reading-list/query/list-sizes.js';
import { type PagePlans, planPage } from '../../src/reading-list/query/page-planner.js';
import { tagIdsOf } from '../../src/reading-list/query/tagged-counts.js';

/** The number of items in the list. */
export const ITEMS = 200_000;
/** 20% of the items are archived, another 1% are archived and favorites, and 27% have tags. */
const FACET_COUNTS = [104_000, 40_000, 0, 2000, 54_000, ...Array<number>(59).fill(0)];

interface Facts {
  readonly order?: ItemsWanted['order'];
  readonly timeOrder?: NonNullable<ItemsWanted['timeOrder']>;
  readonly offset?: number;
  readonly tagged?: number;
  /** One range of the 400 sampled items for each condition that they pass, and a last range for items with tags. */
  readonly passed?: readonly (readonly [from: number, below: number])[];
  /** The numbers of words of the 400 sampled items, in the sort order. */
  readonly words?: readonly number[];
  readonly isIndexed?: boolean;
}

/** Returns the plan for a page of a list with 200,000 items. */
export function planned(filter: ItemFilter, facts: Facts = {}): PagePlans {
  const { order = 'newest', offset = 0, tagged = 0, isIndexed = true } = facts;
  const conditions = conditionsOf(filter);
  const query: PageQuery = {
    userId: '1',
    conditions,
    sortKey: sortKeyOf({
      filter,
      order,
      page: { count: 30, offset },
      timeOrder: facts.timeOrder ?? 'time_added',
    }),
    page: { count: 30, offset },
    columns: 'items',
    withTotal: false,
    hasTexts: isIndexed,
    isLate: offset >= 1000,
  };
  const list = {
    item_count: ITEMS,
    facet_counts: FACET_COUNTS.join(','),
    has_search_index: isIndexed,
  };
  const sample = facts.passed && {
    ...(facts.words && { words: facts.words }),
    passed: Array.from({ length: 400 }, (_, at) =>
      (facts.passed ?? []).reduce(
        (bits, [from, below], bit) => bits | (from <= at && at < below ? 1 << bit : 0),
        0,
      ),
    ),
  };
  const counts = new Map(tagIdsOf(conditions).map((id) => [id, tagged]));
  const sizes = listSizes({ list, tagged: counts }, conditions, sample);
  return planPage({ query, sizes, costs: COSTS });
}
