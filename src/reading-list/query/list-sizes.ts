import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { type Condition, type ConditionKind, passes, TAGGED_ONES } from './conditions.js';
import { COUNTED, type SampleRow } from './sample.sql.js';

/** What is known of a list before its page is read, exactly or from a sample: grounds for a plan, never an answer. */
export interface ListSizes {
  readonly items: number;
  readonly hasSearchIndex: boolean;
  /** How many items pass each condition. */
  readonly passing: Readonly<Partial<Record<ConditionKind, number>>>;
  /** Of the items in the first part of the order, a share between 0 and 1, the share that passes all of these. */
  share(conditions: readonly Condition[], part: number): number;
  /** The part of the order, a share between 0 and 1, that has so many items that pass all conditions. */
  partWith(count: number): number;
}

/** What the list keeps: the writing path counts facets and tags. */
interface KeptNumbers {
  readonly list: Pick<ListSummary, 'item_count' | 'facet_counts' | 'has_search_index'>;
  /** How many items have the tag that is asked for; all, where it was not read. */
  readonly tagged?: number | undefined;
}

/** The sizes of a list of at least one item; without a sample, all conditions are taken for independent. */
export function listSizes(
  { list, tagged = list.item_count }: KeptNumbers,
  conditions: readonly Condition[],
  row?: SampleRow,
): ListSizes {
  const items = list.item_count;
  const kept = { items, tagged, facets: list.facet_counts.split(',').map(Number) };
  // The list may have been emptied since it said that it was long.
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

/** True when the list keeps the number of items that pass. */
export const isKept = ({ kind }: Condition): boolean => kind === 'facet' || kind === 'tag';

interface KeptSizes {
  readonly items: number;
  readonly tagged: number;
  readonly facets: readonly number[];
}

type Order = Pick<ListSizes, 'share' | 'partWith'>;

/** Conditions that have nothing to do with each other, nor with the order. */
function independent(kept: KeptSizes, conditions: readonly Condition[]): Order {
  const { items } = kept;
  const share = (wanted: readonly Condition[]): number =>
    wanted.reduce((product, one) => (product * keptSize(kept, one)) / items, 1);
  const found = Math.max(1, share(conditions) * items);
  return { share, partWith: (count) => Math.min(1, count / found) };
}

/** A sample of so few says nothing about a part. */
const FEWEST = 100;

/** Items that were looked at: for each, in order, the bits of the conditions that it passes. */
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
    // No hit among so many says no more than that there are few.
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

/** Without a match in the sample, the page is expected to reach this many times further than independent conditions would. */
const PATIENCE = 4;

interface Hits {
  readonly items: number;
  readonly sample: number;
  /** The places in the sample of the items that pass all conditions. */
  readonly hits: readonly number[];
  /** The share of such items, if the conditions have nothing to do with each other. */
  readonly chance: number;
}

function partWith(count: number, { items, sample, hits, chance }: Hits): number {
  const [first] = hits;
  if (first === undefined) {
    // Where a hit was to be expected, the conditions exclude each other.
    return chance * sample > 1 ? 1 : Math.min(1, (PATIENCE * count) / (chance * items));
  }
  // Imports and habits gather matches at one end of an order, so a late first match matters. Few matches prove little,
  // and a first match within the average gap proves nothing.
  const gap = sample / hits.length;
  const before = (Math.max(0, first - gap) / sample) * (hits.length / (hits.length + 1));
  return Math.min(1, before + (count * sample) / (hits.length * items));
}

/** All items, for a condition of which the list keeps no number. */
function keptSize({ items, tagged, facets }: KeptSizes, condition: Condition): number {
  return condition.kind === 'facet'
    ? facets.reduce((sum, size, facet) => sum + (passes(facet, condition) ? size : 0), 0)
    : condition.kind === 'tag'
      ? tagged
      : items;
}

/** What was counted to the end is exact, and the least where it was not. */
const estimate = (sampled: number, counted: number | null = null): number =>
  counted !== null && counted < COUNTED ? counted : Math.max(sampled, counted ?? 0);
