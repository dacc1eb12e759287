import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { type Condition, type ConditionKind, passes, TAGGED_ONES } from './conditions.js';
import { COUNTED, type SampleRow } from './sample.sql.js';

/** Exact numbers and estimates of a list before its page is read. They only decide the plan, never the answer. */
export interface ListSizes {
  readonly items: number;
  readonly hasSearchIndex: boolean;
  /** The number of items that pass each condition. */
  readonly passing: Readonly<Partial<Record<ConditionKind, number>>>;
  /**
   * Returns the share (0 to 1) of items that pass all of these conditions, within the first `part` (0 to 1) of the
   * order.
   */
  share(conditions: readonly Condition[], part: number): number;
  /** Returns the part of the order (0 to 1) that contains this number of items that pass all conditions. */
  partWith(count: number): number;
}

/** Numbers that the list stores: each write updates the counts of facets and tags. */
interface KeptNumbers {
  readonly list: Pick<ListSummary, 'item_count' | 'facet_counts' | 'has_search_index'>;
  /** The number of items with the requested tag, or of all items if it was not read. */
  readonly tagged?: number | undefined;
}

/**
 * Returns the sizes of a list that has at least one item. Without a sample, conditions are assumed to be independent.
 */
export function listSizes(
  { list, tagged = list.item_count }: KeptNumbers,
  conditions: readonly Condition[],
  row?: SampleRow,
): ListSizes {
  const items = list.item_count;
  const kept = { items, tagged, facets: list.facet_counts.split(',').map(Number) };
  // The list may have been emptied since its summary was read.
  const order =
    row === undefined || row.passed.length === 0
      ? independent(kept, conditions)
      : sampled(items, conditions, row.passed);
  const sizes = conditions.map((one, at) => {
    const size = isKept(one)
      ? keptSize(kept, one)
      : estimate(items * order.share([one], 1), row?.counted[at]);
    return [one.kind, size] as const;
  });
  const passing = Object.fromEntries(sizes);
  return { items, hasSearchIndex: list.has_search_index, passing, ...order };
}

/** True if the list stores the number of items that pass. */
export const isKept = ({ kind }: Condition): boolean => kind === 'facet' || kind === 'tag';

interface KeptSizes {
  readonly items: number;
  readonly tagged: number;
  readonly facets: readonly number[];
}

type Order = Pick<ListSizes, 'share' | 'partWith'>;

/** Assumes that conditions are independent of each other and of the order. */
function independent(kept: KeptSizes, conditions: readonly Condition[]): Order {
  const { items } = kept;
  const share = (wanted: readonly Condition[]): number =>
    wanted.reduce((product, one) => (product * keptSize(kept, one)) / items, 1);
  const found = Math.max(1, share(conditions) * items);
  return { share, partWith: (count) => Math.min(1, count / found) };
}

/** The minimum sample for a part, because fewer items say nothing about it. */
const FEWEST = 100;

/** Estimates from a sample. `passed` has for each item, in order, the bits of the conditions that it passes. */
function sampled(
  items: number,
  conditions: readonly Condition[],
  passed: readonly number[],
): Order {
  const all = [...conditions, TAGGED_ONES];
  const bitsOf = (wanted: readonly Condition[]): number =>
    wanted.reduce((bits, one) => bits | (1 << all.indexOf(one)), 0);
  const share = (wanted: readonly Condition[], part: number): number => {
    const bits = bitsOf(wanted);
    const among = passed.slice(0, Math.max(FEWEST, Math.ceil(part * passed.length)));
    const hits = among.filter((one) => (one & bits) === bits).length;
    // No hit in the sample only means that hits are rare.
    return Math.max(hits, 0.5) / among.length;
  };
  const chance = conditions.reduce((product, one) => product * share([one], 1), 1);
  const everyBit = bitsOf(conditions);
  const hits = passed.flatMap((one, at) => ((one & everyBit) === everyBit ? [at] : []));
  return {
    share,
    partWith: (count) => partWith(count, { items, sample: passed.length, hits, chance }),
  };
}

/**
 * Without a match in the sample, the page is expected to reach this many times further than independent conditions
 * would.
 */
const PATIENCE = 4;

interface Hits {
  readonly items: number;
  readonly sample: number;
  /** The positions in the sample of the items that pass all conditions. */
  readonly hits: readonly number[];
  /** The expected share of such items if the conditions are independent. */
  readonly chance: number;
}

function partWith(count: number, { items, sample, hits, chance }: Hits): number {
  const [first] = hits;
  if (first === undefined) {
    // If a hit was to be expected, its absence means that the conditions exclude each other.
    return chance * sample > 1 ? 1 : Math.min(1, (PATIENCE * count) / (chance * items));
  }
  // Imports and habits gather matches at one end of an order, so a late first match matters. With few matches it counts
  // less, and a first match within the average gap does not count.
  const gap = sample / hits.length;
  const before = (Math.max(0, first - gap) / sample) * (hits.length / (hits.length + 1));
  return Math.min(1, before + (count * sample) / (hits.length * items));
}

/** Returns the number of all items for a condition whose number the list does not store. */
function keptSize({ items, tagged, facets }: KeptSizes, condition: Condition): number {
  return condition.kind === 'facet'
    ? facets.reduce((sum, size, facet) => sum + (passes(facet, condition) ? size : 0), 0)
    : condition.kind === 'tag'
      ? tagged
      : items;
}

/** A finished count is exact. An unfinished count is a lower limit. */
const estimate = (sampled: number, counted: number | null = null): number =>
  counted !== null && counted < COUNTED ? counted : Math.max(sampled, counted ?? 0);
