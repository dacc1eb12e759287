import { type Condition, type ConditionKind, type FacetTest, passes } from './narrowing.js';
import { COUNTED, estimatedOf, type SampleRow } from './plans/sample.js';

/** What is known of a list before its page is read, exactly or from a sample: grounds for a plan, never an answer. */
export interface ListSizes {
  readonly items: number;
  /** How many items pass each condition. */
  readonly passing: Readonly<Partial<Record<ConditionKind, number>>>;
  /** The share of the items that pass all conditions, between 0 and 1. */
  readonly share: number;
  readonly hasSearchIndex: boolean;
}

/** The numbers that the writing path keeps. */
export interface KeptSizes {
  readonly items: number;
  readonly facetCounts: readonly number[];
  readonly tagged: number;
  readonly hasSearchIndex: boolean;
}

/** The sizes of a list of at least one item; without a sample, all conditions are taken for independent. */
export function listSizes(
  kept: KeptSizes,
  conditions: readonly Condition[],
  sample?: SampleRow,
): ListSizes {
  const { items, hasSearchIndex } = kept;
  const exact = conditions.map((one) => [one.kind, keptSize(kept, one)] as const);
  const estimated = estimatedOf(conditions).map(
    ({ kind }, at) => [kind, estimate(items, at, sample)] as const,
  );
  const passing = Object.fromEntries([...exact, ...estimated]);
  const independent = conditions.reduce((share, one) => (share * keptSize(kept, one)) / items, 1);
  const share = sample === undefined ? independent : sample.all_pass / sample.sampled;
  return { items, hasSearchIndex, passing, share };
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

/** A sample in which nothing passes says no more than that few do. */
function estimate(items: number, at: number, sample?: SampleRow): number {
  if (sample === undefined) {
    return items;
  }
  const counted = sample.counted[at] ?? undefined;
  if (counted !== undefined && counted < COUNTED) {
    return counted;
  }
  return Math.max((Math.max(sample.pass[at] ?? 0, 0.5) / sample.sampled) * items, counted ?? 0);
}
