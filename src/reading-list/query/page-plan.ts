import {
  areTagged,
  type Condition,
  hasIndex,
  isBeside,
  isInIndex,
  isInOrder,
  isInSet,
  type PageQuery,
  TAGGED_ONES,
} from './conditions.js';
import type { WordRange } from './items-wanted.js';
import { isOfMarks } from './reader-conditions.js';
import { costOfIds, costOfNear, costOfSet, type Facts, hashableOf, passing } from './set-costs.js';

/**
 * A way to find the items of a page. All plans find the same items. Only a plan with a `window` may
 * stop before the page is full.
 */
export type PagePlan =
  /** Uses a single WHERE clause, and leaves the choice of indexes to PostgreSQL. */
  | { readonly kind: 'plain' }
  | IndexScan
  | IdSet
  /** Reads the items of a domain host by host, and the items of each host in the order of their URLs. */
  | { readonly kind: 'hosts' };

/** Reads the ids of all items that meet one condition, then looks up and sorts their rows. */
export interface IdSet {
  readonly kind: 'id set';
  readonly by: Condition;
  /** Conditions that are tested by a semi-join. Undefined if all other conditions are tested item by item. */
  readonly semiJoins?: readonly Condition[];
  /** A range of the number of words that is narrower than the requested range. The plan reads only the items in it. */
  readonly window?: WordRange;
}

/** Scans an index in the requested sort order, from its beginning, until the page is full. */
export interface IndexScan {
  readonly kind: 'index scan';
  readonly over: 'items' | 'item_tags' | 'item_search';
  /**
   * Conditions that are tested by a semi-join. The semi-join first builds a hash table with the ids of all items that
   * meet the condition.
   */
  readonly semiJoins: readonly Condition[];
  /** The number of index entries after which the scan stops. */
  readonly window?: number;
}

/**
 * The conditions of an index scan, grouped by the data that their tests need: only the index
 * (`inIndex`), a set of ids (`inSets`), other data without the row of the item (`onEntry`), or the
 * row of the item (`onRow`).
 */
interface Tests {
  readonly inIndex: readonly Condition[];
  readonly inSets: readonly Condition[];
  readonly onEntry: readonly Condition[];
  readonly onRow: readonly Condition[];
}

export function testsOf({ conditions, sortKey }: PageQuery, { over, semiJoins }: IndexScan): Tests {
  const others = conditions.filter((one) => !semiJoins.includes(one));
  const isTold = (one: Condition): boolean =>
    over === 'items'
      ? isInOrder(one, sortKey.column)
      : over === 'item_tags' && (one.kind === 'tag' || one.kind === 'added');
  const isNear = (one: Condition): boolean =>
    (over === 'item_search' && one.kind === 'search') || isBeside(one, sortKey.column);
  const rest = others.filter((one) => !isTold(one));
  return {
    inIndex: others.filter(isTold),
    inSets: semiJoins,
    onEntry: rest.filter(isNear),
    onRow: rest.filter((one) => !isNear(one)),
  };
}

/** Like `isBeside`, for the items that meet the condition `by`. */
export const isBesideSet = (condition: Condition, by: Condition): boolean =>
  isBeside(condition, isOfMarks(by) ? undefined : 'added_order');

export const entriesOf = ({ sizes }: Facts, { over }: IndexScan): number =>
  over === 'item_tags' ? (sizes.passing.tag ?? 0) : sizes.items;

/**
 * Returns the share (0 to 1) of the scanned index entries that meet the conditions. All entries of
 * `item_tags` already have the requested tag. A scan of `items` that filters by a tag first skips
 * items without tags.
 */
export function shareOf(
  facts: Facts,
  { over }: IndexScan,
  passed: readonly Condition[],
  part: number,
): number {
  const isTagged = over === 'items' && areTagged(facts.query.conditions);
  const others = passed.filter(({ kind }) => over !== 'item_tags' || kind !== 'tag');
  return facts.sizes.share(isTagged ? [...others, TAGGED_ONES] : others, part);
}

/** Returns the cost of scanning an index from its beginning. `part` is the share of the index (0 to 1) to scan. */
export function costOfScan(facts: Facts, scan: IndexScan, part: number): number {
  const { query, costs } = facts;
  const { inIndex, inSets, onEntry, onRow } = testsOf(query, scan);
  const entries = part * entriesOf(facts, scan);
  const left = (passed: readonly Condition[]): number =>
    entries * shareOf(facts, scan, passed, part);
  const isText = ({ kind }: Condition): boolean => kind === 'search';
  const near = onEntry.filter((one) => !isText(one));
  const known = [...inIndex, ...inSets];
  const texts = onRow.filter(isText);
  const rows = onRow.length > texts.length ? left([...known, ...onEntry, ...texts]) : 0;
  const text = query.sortKey.column === 'added_order' ? costs.text : costs.scatteredText;
  return (
    inSets.reduce((sum, one) => sum + costOfIds(facts, one), 0) +
    entries * (scan.over === 'item_search' ? text : costs.entry) +
    (inSets.length > 0 ? left(inIndex) * costs.probe : 0) +
    costOfNear(facts, near) * left(known) +
    (texts.length > 0 ? left([...known, ...onEntry]) * costs.textRow : 0) +
    rows * costs.row
  );
}

/**
 * Returns the cost of the plan `id set`: reading all items that meet one condition, looking up the necessary rows, and
 * sorting.
 */
export function costOfIdSet(facts: Facts, { by, semiJoins = [] }: IdSet): number {
  const { query, sizes, costs } = facts;
  const size = passing(facts, by) * sizes.share(semiJoins, 1);
  const rest = query.conditions.filter((one) => !isInSet(one, by) && !semiJoins.includes(one));
  const near = rest.filter((one) => isBesideSet(one, by));
  const isKeyed = isInIndex(query.sortKey.column, by) && near.length === rest.length;
  return (
    costOfSet(facts, by) +
    semiJoins.reduce((sum, one) => sum + costOfIds(facts, one), 0) +
    size * costOfNear(facts, near) +
    (isKeyed ? 0 : size * sizes.share(near, 1) * costs.row) +
    (hasIndex(query.sortKey.column) ? 0 : size * costs.entry) +
    costOfSorting(facts, sizes.share(query.conditions, 1) * sizes.items)
  );
}

/**
 * Returns the cost of a sort that keeps only the first N entries, where N is the end of the page. The logarithm
 * estimates how often a later entry still belongs to the first N.
 */
function costOfSorting({ query, costs }: Facts, items: number): number {
  const kept = query.page.offset + query.page.count;
  return costs.sorting * (kept < items ? kept * (1 + Math.log(items / kept)) : items);
}

/**
 * Returns the estimated cost of reading a domain host by host. Assumes that the number of hosts is the square root of
 * the number of items in the domain.
 */
export function costOfHosts(facts: Facts, domain: Condition): number {
  const { query, sizes, costs } = facts;
  const size = passing(facts, domain);
  const found = Math.max(1, sizes.share(query.conditions, 1) * sizes.items);
  const rows = Math.min(size, (size / found) * (query.page.offset + query.page.count));
  const isIndexOnly = query.conditions.every(({ kind }) => kind === 'domain' || kind === 'facet');
  return Math.sqrt(size) * costs.descent + rows * (isIndexOnly ? costs.entry : costs.row);
}

/**
 * Returns the plan that reads all items that meet the condition `by`. If no index has the sort order, all of these items
 * are tested, so conditions with a smaller set are tested by a semi-join.
 */
export function idSetOf(facts: Facts, by: Condition): IdSet {
  const semiJoins = hashableOf(facts).filter((one) => {
    const test = isBesideSet(one, by) ? costOfNear(facts, [one]) : facts.costs.row;
    return !isInSet(one, by) && costOfIds(facts, one) < passing(facts, by) * test;
  });
  return { kind: 'id set', by, ...(semiJoins.length > 0 && { semiJoins }) };
}
