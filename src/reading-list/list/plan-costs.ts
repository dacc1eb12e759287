import type { Circumstances } from './item.plan.js';
import type { Condition, ConditionKind } from './narrowing.js';

/** Microseconds, measured (docs/decisions/0015). Parameters, so that tests reach every plan with a short list. */
export const COSTS = {
  /** To read an entry of an index. */
  entry: 0.13,
  /** To put it into a set of ids. */
  hashing: 0.2,
  /** To find a row by its key and to test it. */
  row: 4,
  /** To read a text to search in, in the order in which they were added. */
  text: 0.4,
  /** To intersect the pairs of characters of a search. */
  grams: 3000,
  /** To fetch a text that has them all, and to search in it. */
  match: 1.2,
  /** To find where a host begins. */
  descent: 30,
};
export type Costs = typeof COSTS;

/** How many items pass the condition. */
export const passing = ({ sizes }: Circumstances, kind: ConditionKind): number =>
  sizes.passing[kind] ?? sizes.items;

/** True when the items that pass can be read without the others. */
export function hasSet({ sizes }: Circumstances, condition: Condition): boolean {
  return condition.kind === 'search'
    ? sizes.hasSearchIndex && Array.from(condition.text).length > 1
    : condition.kind !== 'item';
}

/** What it costs to read the ids of all that pass. */
export function costOfSet(facts: Circumstances, { kind }: Condition): number {
  const { costs, sizes } = facts;
  if (kind === 'search') {
    return costs.grams + passing(facts, kind) * costs.match;
  }
  // No index is in the order of time_updated: all entries of one that has it are read.
  return (kind === 'updatedBefore' ? sizes.items : passing(facts, kind)) * costs.entry;
}
