import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { type Condition, type ConditionKind, passes, TAGGED_ONES } from './conditions.js';
import { COUNTED, type SampleRow } from './sample.sql.js';

/**
 * Exact and estimated numbers of items in a list, known before a page is read. These numbers affect only the choice of
 * a plan, never the answer.
 */
export interface ListSizes {
  readonly items: number;
  readonly hasSearchIndex: boolean;
  /** The number of items that pass each condition. */
  readonly passing: Readonly<Partial<Record<ConditionKind, number>>>;
  /**
   * Returns the estimated share (0 to 1) of items that pass all of these conditions. Considers only the first `part` (0
   * to 1) of the order.
   */
  share(conditions: readonly Condition[], part: number): number;
  /** Returns the part of the order (0 to 1) that is expected to contain this number of matching items. */
  partWith(count: number): number;
}

/** Numbers that the list stores. Each write updates the counters of facets and tags. */
interface KeptNumbers {
  readonly list: Pick<ListSummary, 'item_count' | 'facet_counts' | 'has_search_index'>;
  /** The number of items with the requested tag. If this number was not read, the number of all items. */
  readonly tagged?: number | undefined;
}

/** Returns the sizes of a list with at least one item. Without a sample, assumes that conditions are independent. */
export function listSizes(
  { list, tagged = list.item_count }: KeptNumbers,
  conditions: readonly Condition[],
  row?: SampleRow,
): ListSizes {
  const items = list.item_count;
  const kept = { items, tagged, facets: list.facet_counts.split(',').map(Number) };
  // The list may have become empty after its summary was read.
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

/** True if the list stores the number of items that pass the condition. */
export const isKept = ({ kind }: Condition): boolean => kind === 'facet' || kind === 'tag';

interface KeptSizes {
  readonly items: number;
  readonly tagged: number;
  readonly facets: readonly number[];
}

type Order = Pick<ListSizes, 'share' | 'partWith'>;

/** Estimates without a sample. Assumes that conditions are independent of each other and of the order. */
function independent(kept: KeptSizes, conditions: readonly Condition[]): Order {
  const { items } = kept;
  const share = (wanted: readonly Condition[]): number =>
    wanted.reduce((product, one) => (product * keptSize(kept, one)) / items, 1);
  const found = Math.max(1, share(conditions) * items);
  return { share, partWith: (count) => Math.min(1, count / found) };
}

/** The minimum number of sampled items for a part of the order. A smaller sample would not be significant. */
const FEWEST = 100;

/**
 * Estimates from a sample. `passed` has one number for each sampled item, in order. Each bit of the number shows
 * whether the item passes a condition.
 */
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
    // If the sample contains no match, matches are only rare, so the share is not 0.
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
 * The factor for a sample without a match. The page is expected to reach this many times further than with independent
 * conditions.
 */
const PATIENCE = 4;

interface Hits {
  readonly items: number;
  readonly sample: number;
  /** The positions of items in the sample that pass all conditions. */
  readonly hits: readonly number[];
  /** The expected share of items that pass all conditions, if the conditions are independent. */
  readonly chance: number;
}

function partWith(count: number, { items, sample, hits, chance }: Hits): number {
  const [first] = hits;
  if (first === undefined) {
    // If a match was expected in the sample but is missing, the conditions exclude each other.
    return chance * sample > 1 ? 1 : Math.min(1, (PATIENCE * count) / (chance * items));
  }
  // Imports and habits gather matches at one end of an order. A late first match therefore means that matches are at
  // the other end. It counts less if there are few matches, and not at all within the average gap.
  const gap = sample / hits.length;
  const before = (Math.max(0, first - gap) / sample) * (hits.length / (hits.length + 1));
  return Math.min(1, before + (count * sample) / (hits.length * items));
}

/**
 * Returns the stored number of items that pass the condition. If the list does not store the number, returns the number
 * of all items.
 */
function keptSize({ items, tagged, facets }: KeptSizes, condition: Condition): number {
  return condition.kind === 'facet'
    ? facets.reduce((sum, size, facet) => sum + (passes(facet, condition) ? size : 0), 0)
    : condition.kind === 'tag'
      ? tagged
      : items;
}

/** Returns the number of items that pass. A finished count is exact. An unfinished count is a lower limit. */
const estimate = (sampled: number, counted: number | null = null): number =>
  counted !== null && counted < COUNTED ? counted : Math.max(sampled, counted ?? 0);
