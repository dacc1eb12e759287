import { type Condition, type ConditionKind, isTrait, type PageQuery } from './conditions.js';
import type { Costs } from './costs.js';
import type { ListSizes } from './list-sizes.js';
import { isOfTags, type TagsCondition } from './reader-conditions.js';
import { areTagsRead } from './reader-conditions.sql.js';
import type { SampleRow } from './sample.sql.js';

/** The input for choosing a plan: the query, the sizes of the list and the costs. */
export interface Facts {
  readonly query: PageQuery;
  readonly sizes: ListSizes;
  readonly costs: Costs;
}

const LAST_OF_ASCII = 0x7f;

/**
 * Returns true if the index on pairs of characters can find the search text. The index contains
 * single characters only if they are not ASCII (migration 1763800000000).
 */
const hasGrams = (text: string): boolean =>
  Array.from(text).length > 1 || (text.codePointAt(0) ?? 0) > LAST_OF_ASCII;

/** The kinds of conditions that no index can find. */
const NOT_IN_INDEX: ReadonlySet<string> = new Set<ConditionKind>(['item', 'noTag', 'notInDigest']);

/** Returns the conditions whose matching items can be found directly in an index. */
export const setsOf = ({ query, sizes }: Facts): readonly Condition[] =>
  query.conditions.filter((one) => {
    switch (one.kind) {
      case 'search':
        return sizes.hasSearchIndex && hasGrams(one.text);
      case 'annotated':
        return one.wanted;
      case 'progress':
        return one.wanted !== 'unstarted';
      default:
        return !NOT_IN_INDEX.has(one.kind);
    }
  });

export const passing = ({ sizes }: Facts, { kind }: Condition): number =>
  sizes.passing[kind] ?? sizes.items;

const isOfWholeIndex = (condition: Condition): boolean =>
  condition.kind === 'updatedBefore' || isTrait(condition);

/** Returns the cost of reading all items that meet the condition. */
export function costOfSet(facts: Facts, condition: Condition): number {
  const { costs } = facts;
  const size = passing(facts, condition);
  if (isOfTags(condition)) {
    return costOfTags(facts, condition);
  }
  switch (condition.kind) {
    case 'search':
      return costs.grams + size * costs.match;
    case 'text':
      return costs.grams + size * costs.found;
    case 'annotated':
    case 'progress':
      return size * costs.mark;
    case 'read':
      return size * costs.row;
    default:
      return costOfIndex(facts, condition);
  }
}

/** Conditions on flags with a partial index, which finds the rows in the order of addition. */
const FLAGS: ReadonlySet<string> = new Set<ConditionKind>(['pdf', 'fetchFailed']);

/** No index is sorted by the columns of some conditions, so a whole index is read. */
function costOfIndex(facts: Facts, condition: Condition): number {
  const { costs, sizes } = facts;
  const size = passing(facts, condition);
  if (condition.kind === 'language') {
    return condition.isRare === true ? size * costs.match : sizes.items * costs.entry;
  }
  if (FLAGS.has(condition.kind)) {
    return size * costs.match;
  }
  return (isOfWholeIndex(condition) ? sizes.items : size) * costs.entry;
}

/**
 * Returns the cost per index entry of the tests that look up another table, such as the table of
 * tags.
 */
export const costOfNear = ({ costs }: Facts, near: readonly Condition[]): number =>
  near.reduce((sum, one) => sum + costOfTest(costs, one), 0);

function costOfTest(costs: Costs, condition: Condition): number {
  if (isOfTags(condition)) {
    return condition.ids.length * costs.tag;
  }
  switch (condition.kind) {
    case 'text':
      return costs.words;
    case 'added':
      return 0;
    default:
      return costs.tag;
  }
}

/** Returns true if a scan in the sort order finds `count` matching items faster than reading all matching items. */
export const isFoundInOrder = (facts: Facts, condition: Condition, count: number): boolean => {
  const { costs, sizes } = facts;
  const looks = sizes.partWith(count) * sizes.items;
  return looks * (costs.entry + costOfNear(facts, [condition])) < costOfSet(facts, condition);
};

/** Returns the cost of reading the items of several tags: tag by tag, or grouped in memory. */
function costOfTags({ sizes, costs }: Facts, condition: TagsCondition): number {
  const isByTag = areTagsRead(condition);
  return condition.ids.reduce((sum, id, at) => {
    const perEntry = isByTag ? at * costs.tag : costs.hashing;
    return sum + sizes.taggedWith(id) * (costs.entry + perEntry);
  }, 0);
}

/**
 * Returns true if the condition excludes the items that have a tag, an annotation or a reading position. Only these
 * excluded items can be read.
 */
export const isExcluding = (condition: Condition): boolean =>
  condition.kind === 'noTag' ||
  (condition.kind === 'annotated' && !condition.wanted) ||
  (condition.kind === 'progress' && condition.wanted === 'unstarted');

/** Returns the conditions that a semi-join can test. */
export const hashableOf = (facts: Facts): readonly Condition[] => {
  const sets = setsOf(facts);
  return facts.query.conditions.filter((one) => sets.includes(one) || isExcluding(one));
};

/** Returns the cost of building the set of ids for a semi-join. */
export function costOfIds(facts: Facts, one: Condition): number {
  const { costs, sizes } = facts;
  const met = passing(facts, one);
  const size = isExcluding(one) ? sizes.items - met : met;
  if (isOfTags(one) && one.kind !== 'tags') {
    const entries = one.ids.reduce((sum, id) => sum + sizes.taggedWith(id), 0);
    return entries * (costs.entry + costs.hashing);
  }
  switch (one.kind) {
    case 'annotated':
    case 'progress':
      return size * (costs.mark + costs.hashing);
    case 'read':
      // The index of archived items has their ids, but not their time of addition.
      return size * (costs.entry + costs.hashing);
    default:
      return costOfSet(facts, one) + size * costs.hashing;
  }
}

/**
 * The largest share of a list for which the index of languages is used. The index finds rows in no order, and reading
 * a row costs about ten times as much as reading an entry of the index by time of addition.
 */
const RARE = 0.04;

/**
 * Marks the condition on the language as rare if the sample contains few items in the language. Without a sample, the
 * condition remains as it is.
 */
export const withRareLanguage = (
  conditions: readonly Condition[],
  sample: SampleRow | undefined,
): readonly Condition[] =>
  conditions.map((one, at) =>
    one.kind === 'language' && sample !== undefined && isRare(sample, at)
      ? { ...one, isRare: true }
      : one,
  );

function isRare({ passed }: SampleRow, bit: number): boolean {
  const hits = passed.filter((bits) => (bits & (1 << bit)) !== 0).length;
  return hits < RARE * passed.length;
}
