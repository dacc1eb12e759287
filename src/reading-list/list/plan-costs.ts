import type { Circumstances } from './item.plan.js';
import type { Condition, ConditionKind } from './narrowing.js';

/** Microseconds, measured (docs/performance.md). Parameters, so that tests reach every plan with a short list. */
export const COSTS = {
  /** To read an entry of an index. */
  entry: 0.08,
  /** To put it into a set of ids. */
  hashing: 0.25,
  /** To read an entry of an index, and to look it up in a set. */
  sieved: 0.1,
  /** To look up a row by its id, and to test it. */
  row: 3,
  /** To look whether an item has a tag, or an annotation. */
  tag: 1.1,
  /** To read a text to search in, in an order of which there is an index. */
  text: 0.26,
  /** To intersect the pairs of characters of a search. */
  grams: 300,
  /** To fetch a text that has them all, and to search in it. */
  match: 0.55,
  /** To find where a host begins. */
  descent: 30,
};
export type Costs = typeof COSTS;

const LAST_OF_ASCII = 0x7f;

/** How many items pass the condition. */
export const passing = ({ sizes }: Circumstances, kind: ConditionKind): number =>
  sizes.passing[kind] ?? sizes.items;

/** The share of the items that pass, in the first part of the list. */
export const shareOf = (
  { sizes }: Circumstances,
  conditions: readonly Condition[],
  part = 1,
): number => sizes.sample.share(conditions, part);

/** The index knows pairs of characters, and by themselves those beyond ASCII (migration 1763800000000). */
const hasGrams = (text: string): boolean =>
  Array.from(text).length > 1 || (text.codePointAt(0) ?? 0) > LAST_OF_ASCII;

/** True when the items that pass can be read without the others. */
export function hasSet({ sizes }: Circumstances, condition: Condition): boolean {
  switch (condition.kind) {
    case 'search':
      return sizes.hasSearchIndex && hasGrams(condition.text);
    case 'annotated':
      return condition.wanted;
    default:
      return condition.kind !== 'item';
  }
}

/** What it costs to read the ids of all that pass. */
export function costOfSet(facts: Circumstances, { kind }: Condition): number {
  const { costs, sizes } = facts;
  if (kind === 'search') {
    return costs.grams + passing(facts, kind) * costs.match;
  }
  if (kind === 'annotated') {
    return passing(facts, kind) * costs.row;
  }
  // No index is in the order of time_updated: all entries of one that has it are read.
  return (kind === 'updatedBefore' ? sizes.items : passing(facts, kind)) * costs.entry;
}

/** Entries that pass what an index knows, in the first part of the list, and what else is tested of them, in order. */
export interface Tested {
  readonly inIndex: readonly Condition[];
  readonly onEntry: readonly Condition[];
  readonly onRow: readonly Condition[];
}

/** What it costs to test so many entries, of which those are looked up that passed the tests before. */
export function costOfTests(
  facts: Circumstances,
  { inIndex, onEntry, onRow }: Tested,
  { entries, part }: { readonly entries: number; readonly part: number },
): number {
  const { costs } = facts;
  const left = (passed: readonly Condition[]): number => entries * shareOf(facts, passed, part);
  const texts = onRow.filter(({ kind }) => kind === 'search');
  const besides = onEntry.filter(({ kind }) => kind !== 'search');
  const before = [...inIndex, ...onEntry];
  return (
    besides.length * left(inIndex) * costs.tag +
    texts.length * left(before) * costs.row +
    (onRow.length > texts.length ? left([...before, ...texts]) * costs.row : 0)
  );
}
