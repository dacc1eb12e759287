import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { passes } from '../facet.js';
import { type Condition, type ConditionKind, TAGGED_ONES } from './conditions.js';
import { isOfTags } from './reader-conditions.js';
import type { SampleRow } from './sample.sql.js';
import type { TaggedCounts } from './tagged-counts.js';

/**
 * Numbers of items in a list, some exact and some estimated, for choosing a query plan. A wrong
 * estimate makes a query slower, but does not change its result.
 */
export interface ListSizes {
  readonly items: number;
  readonly hasSearchIndex: boolean;
  /** The number of items that meet each condition. The keys are the kinds of the conditions. */
  readonly passing: Readonly<Partial<Record<ConditionKind, number>>>;
  /** Returns the number of items with a tag. */
  taggedWith(tagId: string): number;
  /**
   * Returns the estimated share (0 to 1) of items that meet all of these conditions. Considers only
   * the beginning of the sorted list, whose length is the share `part` (0 to 1) of the list.
   */
  share(conditions: readonly Condition[], part: number): number;
  /**
   * Returns the share of the sorted list (0 to 1) that a scan must read to find `count` items that meet all conditions.
   */
  partWith(count: number): number;
  /** The sampled items that meet all conditions, if the items are sorted by the number of words. */
  readonly sampleByWords?: SampleByWords | undefined;
}

interface SampleByWords {
  readonly sampled: number;
  /** The number of words of each item, in the sort order. */
  readonly words: readonly number[];
}

/**
 * The numbers of items that are stored with a list: for each facet (a combination of properties
 * such as archived and favorite), and for each tag.
 */
interface KeptNumbers {
  readonly list: Pick<ListSummary, 'item_count' | 'facet_counts' | 'has_search_index'>;
  /** The number of items with each requested tag. If the numbers were not read, each is the number of all items. */
  readonly tagged?: TaggedCounts | undefined;
}
/**
 * Returns the exact or estimated numbers of items in a list that is not empty. Without a sample of
 * items, assumes that the conditions are independent of each other.
 */
export function listSizes(
  { list, tagged }: KeptNumbers,
  conditions: readonly Condition[],
  row?: SampleRow,
): ListSizes {
  const items = list.item_count;
  const taggedWith = (id: string): number => (tagged === undefined ? items : (tagged.get(id) ?? 0));
  const kept = { items, taggedWith, facets: list.facet_counts.split(',').map(Number) };
  // The sample is empty if another request has deleted all items in the meantime.
  const order =
    row === undefined || row.passed.length === 0
      ? independent(kept, conditions)
      : sampled(items, conditions, row);
  const passing = Object.fromEntries(
    conditions.map((one) => [
      one.kind,
      isKept(one)
        ? keptSize(kept, one)
        : Math.min(items * order.share([one], 1), keptSize(kept, one)),
    ]),
  );
  return { items, hasSearchIndex: list.has_search_index, passing, taggedWith, ...order };
}

/** Returns true if the list stores the number of items that meet the condition. */
export const isKept = ({ kind }: Condition): boolean => kind === 'facet' || kind === 'tag';

interface KeptSizes {
  readonly items: number;
  readonly taggedWith: (id: string) => number;
  readonly facets: readonly number[];
}

type Order = Pick<ListSizes, 'share' | 'partWith' | 'sampleByWords'>;

/**
 * Estimates numbers of items without a sample. Assumes that the conditions are independent of each other and of the
 * sort order.
 */
function independent(kept: KeptSizes, conditions: readonly Condition[]): Order {
  const { items } = kept;
  const share = (wanted: readonly Condition[]): number =>
    wanted.reduce((product, one) => (product * keptSize(kept, one)) / items, 1);
  const found = Math.max(1, share(conditions) * items);
  return { share, partWith: (count) => Math.min(1, count / found) };
}

/**
 * The minimum number of sampled items from which a share is estimated. An estimate from fewer sampled items would not
 * be reliable.
 */
const FEWEST = 100;

/**
 * Estimates numbers of items from a sample. `passed` contains one bit mask for each sampled item,
 * in the sort order. Each bit shows whether the item meets one of the conditions.
 */
function sampled(
  items: number,
  conditions: readonly Condition[],
  { passed, words }: SampleRow,
): Order {
  const all = [...conditions, TAGGED_ONES];
  const bitsOf = (wanted: readonly Condition[]): number =>
    wanted.reduce((bits, one) => bits | (1 << all.indexOf(one)), 0);
  const share = (wanted: readonly Condition[], part: number): number => {
    const bits = bitsOf(wanted);
    const among = passed.slice(0, Math.max(FEWEST, Math.ceil(part * passed.length)));
    const hits = among.filter((one) => (one & bits) === bits).length;
    // If no sampled item matches, the list may still contain a few matching items, so the share is never 0.
    return Math.max(hits, 0.5) / among.length;
  };
  const chance = conditions.reduce((product, one) => product * share([one], 1), 1);
  const everyBit = bitsOf(conditions);
  const hits = passed.flatMap((one, at) => ((one & everyBit) === everyBit ? [at] : []));
  return {
    share,
    partWith: (count) => partWith(count, { items, sample: passed.length, hits, chance }),
    sampleByWords: words && {
      sampled: passed.length,
      words: words.filter((_count, at) => hits.includes(at)),
    },
  };
}

/**
 * If no sampled item meets all conditions, a scan is expected to read this many times more items
 * than if the conditions were independent.
 */
const PATIENCE = 4;

interface Hits {
  readonly items: number;
  readonly sample: number;
  /** The positions of the sampled items that meet all conditions, in the sort order. */
  readonly hits: readonly number[];
  /**
   * The expected share (0 to 1) of items that meet all conditions, if the conditions are
   * independent.
   */
  readonly chance: number;
}

function partWith(count: number, { items, sample, hits, chance }: Hits): number {
  const [first] = hits;
  if (first === undefined) {
    // If at least one match was expected in the sample, the conditions probably exclude each other.
    // A scan would then read the whole list.
    return chance * sample > 1 ? 1 : Math.min(1, (PATIENCE * count) / (chance * items));
  }
  // Matching items are often grouped at one end of the sort order. The estimate therefore includes
  // the items before the first match.
  const gap = sample / hits.length;
  const before = (Math.max(0, first - gap) / sample) * (hits.length / (hits.length + 1));
  return Math.min(1, before + (count * sample) / (certain(hits.length) * items));
}

/**
 * One sampled item may match by chance. A scan that expects too many matches reads a large part of the list before it
 * stops, and another plan then reads the page.
 */
const certain = (hits: number): number => Math.max(hits - 1, 0.5);

/**
 * Returns the stored number of items that meet the condition. If the list does not store this number, returns the
 * smallest number that is certainly not too small.
 */
function keptSize({ items, taggedWith, facets }: KeptSizes, condition: Condition): number {
  if (isOfTags(condition)) {
    const counts = condition.ids.map(taggedWith);
    return condition.kind === 'tags' ? Math.min(...counts) : upTo(items, condition.kind, counts);
  }
  switch (condition.kind) {
    case 'facet':
      return facets.reduce((sum, size, facet) => sum + (passes(facet, condition) ? size : 0), 0);
    case 'tag':
      return taggedWith(condition.id);
    default:
      return items;
  }
}

const upTo = (items: number, kind: 'anyTag' | 'noTag', counts: readonly number[]): number =>
  kind === 'noTag'
    ? items
    : Math.min(
        items,
        counts.reduce((sum, one) => sum + one, 0),
      );
