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

/** A way to a page of keys. All give the same page; an index scan with a window may give less of it. */
export type PagePlan =
  /** One WHERE, and PostgreSQL decides. */
  | { readonly kind: 'plain' }
  | IndexScan
  /** The ids of all that pass one condition, whose rows are looked up and sorted. */
  | { readonly kind: 'id set'; readonly by: Condition }
  /** The hosts of a domain, each already in the order of its URLs. */
  | { readonly kind: 'hosts' };

/** An index in the order wanted, from its beginning, until the page is full. */
export interface IndexScan {
  readonly kind: 'index scan';
  readonly over: 'items' | 'item_tags' | 'item_search';
  /** Semi-joins: conditions of which the ids of all items that pass are hashed first. */
  readonly semiJoins: readonly Condition[];
  /** How many entries to look at before giving up. */
  readonly window?: number;
}

/** What answers each condition on an index scan: its entry, a set of ids, something near the entry, or the row of the item. */
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

/** Microseconds, measured (docs/performance.md). Parameters, so that tests reach every plan with a short list. */
export const COSTS = {
  /** To read an entry of an index, and to look it up in a set of ids. */
  entry: 0.1,
  /** To put an entry into a set of ids. */
  hashing: 0.25,
  /** To look up a row by its id, and to test it. */
  row: 5,
  /** The same of the narrow rows with the texts. */
  textRow: 3.5,
  /** To look whether an item has a tag, or an annotation. */
  tag: 1.1,
  /** To look at the words of an item. */
  words: 25,
  /** To read a text to search in, in an order of which there is an index. */
  text: 0.22,
  /** The same in another order than that of time, in which the rows are stored. */
  scatteredText: 0.7,
  /** To intersect the pairs of characters of a search. */
  grams: 300,
  /** To fetch a text that has them all, and to search in it. */
  match: 1,
  /** To fetch what has the words of a text search. */
  found: 0.5,
  /** To find where a host begins. */
  descent: 30,
  /** To put an entry among those that are sorted, of which only as many are kept as the page reaches. */
  sorting: 0.4,
};
type Costs = typeof COSTS;

/** What a choice is made from. */
export interface Facts {
  readonly query: PageQuery;
  readonly sizes: ListSizes;
  readonly costs: Costs;
}

export const entriesOf = ({ sizes }: Facts, { over }: IndexScan): number =>
  over === 'item_tags' ? (sizes.passing.tag ?? 0) : sizes.items;

/** The share of a scan's entries; those of a tag all have it, and others are known to have any tag. */
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

/** The cost of what is looked up by one entry, without the row of its item. */
export const costOfNear = ({ costs }: Facts, near: readonly Condition[]): number =>
  near.reduce((sum, { kind }) => sum + (kind === 'text' ? costs.words : costs.tag), 0);

/** The cost of the first part of an index scan. */
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

/** The cost of all that pass one condition, of the rows that must be looked up, and of sorting. */
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

/** The cost of a top-N sort: an entry better than the N kept so far replaces one of them. */
function costOfSorting({ query, costs }: Facts, items: number): number {
  const kept = query.page.offset + query.page.count;
  return costs.sorting * (kept < items ? kept * (1 + Math.log(items / kept)) : items);
}

/** The cost of reading host after host, as if every one had the page, at most. */
export function costOfHosts(facts: Facts, domain: Condition): number {
  const { query, sizes, costs } = facts;
  const size = passing(facts, domain);
  const found = Math.max(1, sizes.share(query.conditions, 1) * sizes.items);
  const rows = Math.min(size, (size / found) * (query.page.offset + query.page.count));
  const isIndexOnly = query.conditions.every(({ kind }) => kind === 'domain' || kind === 'facet');
  return Math.sqrt(size) * costs.descent + rows * (isIndexOnly ? costs.entry : costs.row);
}

const LAST_OF_ASCII = 0x7f;

/** The index knows pairs of characters, and by themselves those beyond ASCII (migration 1763800000000). */
const hasGrams = (text: string): boolean =>
  Array.from(text).length > 1 || (text.codePointAt(0) ?? 0) > LAST_OF_ASCII;

/** The conditions whose items can be read without the others. */
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

/** What it costs to read all that pass. */
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
      // No index is in the order of time_updated: all entries of one that has it are read.
      return sizes.items * costs.entry;
    default:
      return size * costs.entry;
  }
}

/** True when so many that pass are found sooner in the order than all that pass are read. */
export const isFoundInOrder = (facts: Facts, condition: Condition, count: number): boolean => {
  const { costs, sizes } = facts;
  const looks = sizes.partWith(count) * sizes.items;
  return looks * (costs.entry + costOfNear(facts, [condition])) < costOfSet(facts, condition);
};

/** What it costs to make a set of their ids. */
export const costOfIds = (facts: Facts, one: Condition): number =>
  costOfSet(facts, one) + passing(facts, one) * facts.costs.hashing;
