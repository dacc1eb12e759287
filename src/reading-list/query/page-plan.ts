import {
  type Condition,
  isBeside,
  isInIndex,
  isInOrder,
  isInSet,
  type PageQuery,
  TAGGED_ONES,
} from './conditions.js';
import type { ListSizes } from './list-sizes.js';

/**
 * A way to find the keys of a page. All plans find the same page, but an index scan with a window may find only a part.
 */
export type PagePlan =
  /** A single WHERE: PostgreSQL chooses the way. */
  | { readonly kind: 'plain' }
  | IndexScan
  /** Reads the ids of all items that pass one condition, then looks up and sorts their rows. */
  | { readonly kind: 'id set'; readonly by: Condition }
  /** Reads the hosts of a domain one by one, each in the order of its URLs. */
  | { readonly kind: 'hosts' };

/** Scans an index in the requested order, from its beginning, until the page is full. */
export interface IndexScan {
  readonly kind: 'index scan';
  readonly over: 'items' | 'item_tags' | 'item_search';
  /** Conditions that are tested by a semi-join: the ids of all items that pass are hashed first. */
  readonly semiJoins: readonly Condition[];
  /** The number of entries after which the scan stops. */
  readonly window?: number;
}

/**
 * The conditions of an index scan, by what answers them: the entry itself, a set of ids, a look-up from the entry, or
 * the row of the item.
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
    over === 'items' ? isInOrder(one, sortKey.column) : over === 'item_tags' && one.kind === 'tag';
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

/**
 * Measured costs in microseconds (docs/research/performance.md). They are parameters, so that tests reach every plan with a
 * short list.
 */
export const COSTS = {
  /** Reading an entry of an index, and looking it up in a set of ids. */
  entry: 0.1,
  /** Adding an entry to a set of ids. */
  hashing: 0.25,
  /** Looking up a row by its id, and testing it. */
  row: 5,
  /** Looking up a narrow row with the texts, and testing it. */
  textRow: 3.5,
  /** Checking an item for a tag or an annotation. */
  tag: 1.1,
  /** Testing the words of an item. */
  words: 25,
  /** Reading a text to search, in the order of time, in which the rows are stored. */
  text: 0.22,
  /** Reading a text to search, in any other order. */
  scatteredText: 0.7,
  /** Intersecting the pairs of characters of a search. */
  grams: 300,
  /** Fetching a text that has all these pairs, and searching it. */
  match: 1,
  /** Fetching an item that has the words of a text search. */
  found: 0.5,
  /** Finding the first item of a host. */
  descent: 30,
  /** Inserting an entry into the sorted ones, of which only as many are kept as the page needs. */
  sorting: 0.4,
};
type Costs = typeof COSTS;

/** The input for the choice of a plan. */
export interface Facts {
  readonly query: PageQuery;
  readonly sizes: ListSizes;
  readonly costs: Costs;
}

export const entriesOf = ({ sizes }: Facts, { over }: IndexScan): number =>
  over === 'item_tags' ? (sizes.passing.tag ?? 0) : sizes.items;

/**
 * Returns the share of a scan's entries that pass the conditions. All entries of a tag have that tag. A scan of `items`
 * for a tag also tests that an item has any tag.
 */
export function shareOf(
  facts: Facts,
  { over }: IndexScan,
  passed: readonly Condition[],
  part: number,
): number {
  const isTagged = over === 'items' && facts.query.conditions.some(({ kind }) => kind === 'tag');
  const others = passed.filter(({ kind }) => over !== 'item_tags' || kind !== 'tag');
  return facts.sizes.share(isTagged ? [...others, TAGGED_ONES] : others, part);
}

/** Returns the cost of the look-ups from one entry, without the row of its item. */
export const costOfNear = ({ costs }: Facts, near: readonly Condition[]): number =>
  near.reduce((sum, { kind }) => sum + (kind === 'text' ? costs.words : costs.tag), 0);

/** Returns the cost of scanning the first `part` (0 to 1) of an index. */
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
    costOfNear(facts, near) * left(known) +
    (texts.length > 0 ? left([...known, ...onEntry]) * costs.textRow : 0) +
    rows * costs.row
  );
}

/** Returns the cost of reading all items that pass one condition, looking up the necessary rows, and sorting. */
export function costOfIdSet(facts: Facts, by: Condition): number {
  const { query, sizes, costs } = facts;
  const size = passing(facts, by);
  const rest = query.conditions.filter((one) => !isInSet(one, by));
  const near = rest.filter((one) => isBeside(one, 'added_order'));
  const isKeyed = isInIndex(query.sortKey.column, by) && near.length === rest.length;
  return (
    costOfSet(facts, by) +
    size * costOfNear(facts, near) +
    (isKeyed ? 0 : size * sizes.share(near, 1) * costs.row) +
    costOfSorting(facts, sizes.share(query.conditions, 1) * sizes.items)
  );
}

/** Returns the cost of a top-N sort. An entry better than the N kept so far replaces one of them. */
function costOfSorting({ query, costs }: Facts, items: number): number {
  const kept = query.page.offset + query.page.count;
  return costs.sorting * (kept < items ? kept * (1 + Math.log(items / kept)) : items);
}

/** Returns the maximum cost of reading one host after the other, as if every host had the whole page. */
export function costOfHosts(facts: Facts, domain: Condition): number {
  const { query, sizes, costs } = facts;
  const size = passing(facts, domain);
  const found = Math.max(1, sizes.share(query.conditions, 1) * sizes.items);
  const rows = Math.min(size, (size / found) * (query.page.offset + query.page.count));
  const isIndexOnly = query.conditions.every(({ kind }) => kind === 'domain' || kind === 'facet');
  return Math.sqrt(size) * costs.descent + rows * (isIndexOnly ? costs.entry : costs.row);
}

const LAST_OF_ASCII = 0x7f;

/** The index contains pairs of characters, and single characters only beyond ASCII (migration 1763800000000). */
const hasGrams = (text: string): boolean =>
  Array.from(text).length > 1 || (text.codePointAt(0) ?? 0) > LAST_OF_ASCII;

/** Returns the conditions whose items can be read without testing the others. */
export const setsOf = ({ query, sizes }: Facts): readonly Condition[] =>
  query.conditions.filter((one) =>
    one.kind === 'search'
      ? sizes.hasSearchIndex && hasGrams(one.text)
      : one.kind === 'annotated'
        ? one.wanted
        : one.kind !== 'item',
  );

export const passing = ({ sizes }: Facts, { kind }: Condition): number =>
  sizes.passing[kind] ?? sizes.items;

/** Returns the cost of reading all items that pass. */
export function costOfSet(facts: Facts, condition: Condition): number {
  const { costs, sizes } = facts;
  const size = passing(facts, condition);
  switch (condition.kind) {
    case 'search':
      return costs.grams + size * costs.match;
    case 'text':
      return costs.grams + size * costs.found;
    case 'annotated':
      return size * costs.row;
    case 'updatedBefore':
      // No index is sorted by time_updated, so all entries of an index that contains it are read.
      return sizes.items * costs.entry;
    default:
      return size * costs.entry;
  }
}

/** True if a scan in order finds `count` items that pass sooner than all of them can be read. */
export const isFoundInOrder = (facts: Facts, condition: Condition, count: number): boolean => {
  const { costs, sizes } = facts;
  const looks = sizes.partWith(count) * sizes.items;
  return looks * (costs.entry + costOfNear(facts, [condition])) < costOfSet(facts, condition);
};

/** Returns the cost of building a set of the ids of all items that pass. */
export const costOfIds = (facts: Facts, one: Condition): number =>
  costOfSet(facts, one) + passing(facts, one) * facts.costs.hashing;
