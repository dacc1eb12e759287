import type { ListHead } from '../entities/list-head.js';
import { independent, type ListSample, seen } from './list-sample.js';
import {
  type Condition,
  type ConditionKind,
  type FacetTest,
  passes,
  TAGGED_ONES,
} from './narrowing.js';
import { COUNTED, estimatedOf, type SampleRow } from './plans/sample.js';

/** What is known of a list before its page is read, exactly or from a sample: grounds for a plan, never an answer. */
export interface ListSizes {
  readonly items: number;
  /** How many items pass each condition. */
  readonly passing: Readonly<Partial<Record<ConditionKind, number>>>;
  readonly sample: ListSample;
  readonly hasSearchIndex: boolean;
}

/** The numbers that the writing path keeps. */
export interface KeptSizes {
  readonly items: number;
  readonly facetCounts: readonly number[];
  readonly tagged: number;
  readonly hasSearchIndex: boolean;
}

/** As many items as there are may have the tag, if nobody has looked. */
export const keptSizes = (list: ListHead, tagged: number = list.item_count): KeptSizes => ({
  items: list.item_count,
  facetCounts: list.facet_counts.split(',').map(Number),
  tagged,
  hasSearchIndex: list.has_search_index,
});

/** The sizes of a list of at least one item; without a sample, all conditions are taken for independent. */
export function listSizes(
  kept: KeptSizes,
  conditions: readonly Condition[],
  row?: SampleRow,
): ListSizes {
  const { items, hasSearchIndex } = kept;
  const shares = [...conditions, TAGGED_ONES].map((one) => keptSize(kept, one) / items);
  // The list may have been emptied since it said that it was long.
  const sample =
    row === undefined || row.passed.length === 0
      ? independent(conditions, shares)
      : seen(conditions, row.passed);
  const estimated = estimatedOf(conditions);
  const sizes = conditions.map((one) => {
    const at = estimated.indexOf(one);
    const size =
      at < 0 ? keptSize(kept, one) : estimate(items * sample.share([one], 1), row?.counted[at]);
    return [one.kind, size] as const;
  });
  return { items, hasSearchIndex, sample, passing: Object.fromEntries(sizes) };
}

/** All items, for a condition of which the list keeps no number. */
function keptSize({ items, facetCounts, tagged }: KeptSizes, condition: Condition): number {
  switch (condition.kind) {
    case 'facet':
      return countPassing(facetCounts, condition);
    case 'tag':
      return tagged;
    default:
      return items;
  }
}

const countPassing = (counts: readonly number[], test: FacetTest): number =>
  counts.reduce((sum, count, facet) => sum + (passes(facet, test) ? count : 0), 0);

/** What was counted to the end is exact, and the least where it was not. */
const estimate = (sampled: number, counted: number | null = null): number =>
  counted !== null && counted < COUNTED ? counted : Math.max(sampled, counted ?? 0);
