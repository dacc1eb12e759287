import { withoutControls } from '../../lib/util/clean-text.js';
import { ARCHIVED, CONTENT, type FacetTest, FAVORITE, TAGGED } from '../facet.js';
import { folded } from '../list/item-texts.js';
import type { CompiledTextQuery } from '../texts/compiled-query.js';
import { SORT_COLUMNS, type SortColumn, type SortKey } from './item-order.js';
import type { ItemFilter, PageOfItems, Progress, WordRange } from './items-wanted.js';
import type { Ranking } from './ranking.sql.js';
import {
  isOfMarks,
  type LanguageCondition,
  type ReaderCondition,
  tagConditionsOf,
  timeConditionsOf,
} from './reader-conditions.js';

/**
 * A condition that the items of a page must meet. For some conditions, the list has an index or stores the number of
 * matching items.
 */
export type Condition =
  | ({ readonly kind: 'facet' } & FacetTest)
  | { readonly kind: 'tag'; readonly id: string }
  | { readonly kind: 'search'; readonly text: string }
  | TextCondition
  | ({ readonly kind: 'domain' } & KeyRange)
  | { readonly kind: 'since'; readonly version: number; readonly withTombstones: boolean }
  | { readonly kind: 'updatedBefore'; readonly time: number }
  | { readonly kind: 'annotated'; readonly wanted: boolean }
  | { readonly kind: 'item'; readonly ids: readonly string[] }
  | TraitCondition
  | ReaderCondition
  | { readonly kind: 'progress'; readonly wanted: Progress };

/** A condition on a column of the item that the index `items_added_idx` contains. */
export type TraitCondition =
  | ({ readonly kind: 'words' } & WordRange)
  | LanguageCondition
  | { readonly kind: 'pdf' }
  | { readonly kind: 'fetchFailed' };

export interface TextCondition {
  readonly kind: 'text';
  readonly query: CompiledTextQuery;
  /**
   * True if many items match. Testing the newest items one by one is then faster than a look-up in
   * the full-text index.
   */
  readonly isCommon?: boolean;
}

export type ConditionKind = Condition['kind'];

/**
 * The condition that an item has tags. The indexes for sorting show whether an item has tags, but not which tags it
 * has.
 */
export const TAGGED_ONES: Condition = { kind: 'facet', mask: TAGGED, value: TAGGED };

/** Converts a filter to a list of conditions. `text` is the compiled form of the text search in `filter.text`. */
export function conditionsOf(filter: ItemFilter, text?: CompiledTextQuery): readonly Condition[] {
  const { since, wholeDelta = false } = filter;
  const narrowing: readonly Condition[] = [
    ...narrowingOf(filter),
    ...(text === undefined ? [] : [{ kind: 'text', query: text } as const]),
  ];
  // Omits deleted items if there are other filters, because these filters cannot test deleted items
  // (docs/decisions/0016).
  const withTombstones = wholeDelta || narrowing.length === 0;
  return since === undefined
    ? narrowing
    : [...narrowing, { kind: 'since', version: since, withTombstones }];
}

function narrowingOf(filter: ItemFilter): readonly Condition[] {
  const { search, domain, updatedBefore, annotated } = filter;
  const facet = facetTest(filter);
  const all: readonly (Condition | false)[] = [
    facet.mask !== 0 && { kind: 'facet', ...facet },
    ...tagConditionsOf(filter),
    search !== undefined && { kind: 'search', text: folded(withoutControls(search)) },
    domain !== undefined && { kind: 'domain', ...domainRange(domain) },
    annotated !== undefined && { kind: 'annotated', wanted: annotated },
    updatedBefore !== undefined && { kind: 'updatedBefore', time: updatedBefore },
    ...internalFiltersOf(filter),
    ...readerFiltersOf(filter),
    ...timeConditionsOf(filter),
  ];
  return all.filter((condition) => condition !== false);
}

/** Returns the conditions that Satchel sets itself, for example for rules and digests of lists. */
const internalFiltersOf = ({
  itemId,
  itemIds,
  notInDigestOf,
}: ItemFilter): readonly (Condition | false)[] => [
  itemId !== undefined && { kind: 'item', ids: [itemId] },
  itemIds !== undefined && { kind: 'item', ids: itemIds },
  notInDigestOf !== undefined && { kind: 'notInDigest', listId: notInDigestOf },
];

/** Returns the conditions that only the reader has. */
const readerFiltersOf = ({
  words,
  language,
  isPdf,
  isFetchFailed,
  progress,
}: ItemFilter): readonly (Condition | false)[] => [
  words !== undefined && { kind: 'words', ...words },
  language !== undefined && { kind: 'language', ...languageRange(language) },
  isPdf === true && { kind: 'pdf' },
  isFetchFailed === true && { kind: 'fetchFailed' },
  progress !== undefined && { kind: 'progress', wanted: progress },
];

function facetTest(filter: ItemFilter): FacetTest {
  const { favorite, tag, contentType } = filter;
  const bits = [
    bit(ARCHIVED, isArchivedIn(filter)),
    bit(FAVORITE, favorite),
    bit(TAGGED, tag === 'untagged' ? false : undefined),
    contentType === undefined ? bit(0, undefined) : bit(CONTENT[contentType], true),
  ];
  return bits.reduce((all, { mask, value }) => ({
    mask: all.mask | mask,
    value: all.value | value,
  }));
}

/** Returns undefined if items in every state pass the filter. */
function isArchivedIn({ state, read, since, wholeDelta }: ItemFilter): boolean | undefined {
  if (state === undefined || (wholeDelta === true && since !== undefined)) {
    return read === undefined ? undefined : true;
  }
  return state === 'archive';
}

const bit = (mask: number, isSet: boolean | undefined): FacetTest =>
  isSet === undefined ? { mask: 0, value: 0 } : { mask, value: isSet ? mask : 0 };

interface KeyRange {
  readonly from: string;
  readonly below: string;
}

/**
 * Returns the range of `items.site` for a host and its subdomains. The column `site` contains the characters of the
 * host in reverse order, and a slash. In the sort order, a slash comes directly after a dot, so a host and its
 * subdomains are adjacent.
 */
export function domainRange(domain: string): KeyRange {
  const backwards = Array.from(domain).reverse().join('');
  return { from: `${backwards}.`, below: `${backwards}0` };
}

/**
 * Returns the range of `items.lang` for a language and its regional forms. In the sort order, the hyphen of a regional
 * form comes directly before a dot.
 */
const languageRange = (language: string): KeyRange => ({ from: language, below: `${language}.` });

/** Sets of columns of an item: all that clients see, the same with the note of the user, or only id and version. */
export type PageColumnSet = 'items' | 'items with notes' | 'versions';

/** A query for one page of a list. It does not depend on the plan that finds the page. */
export interface PageQuery {
  readonly userId: string;
  readonly conditions: readonly Condition[];
  readonly sortKey: SortKey;
  readonly page: PageOfItems;
  /** True if the page skips so many items that the query should first check whether any items remain after them. */
  readonly isLate: boolean;
  /**
   * Set if the page is read from the other end of the list: the offset and the sort direction in the request. `page`
   * and `sortKey` then describe the same page in the reverse order.
   */
  readonly fromEnd?: { readonly offset: number; readonly direction: SortKey['direction'] };
  /** The search by which the results are ranked. If it is set, `page` selects the items to rank. */
  readonly ranking?: Ranking;
  readonly withTotal: boolean;
  /** The columns of the items that the page contains. */
  readonly columns: PageColumnSet;
  /** True if the table `item_search` contains copies of the items of this list. */
  readonly hasTexts: boolean;
}

type Kinds = ReadonlySet<ConditionKind>;

const COVERED: Kinds = new Set<ConditionKind>(['facet', 'since', 'updatedBefore', 'added']);
const FACET: Kinds = new Set<ConditionKind>(['facet']);
const ADDED: Kinds = new Set<ConditionKind>(['added']);
const TRAITS: readonly ConditionKind[] = ['words', 'language', 'pdf', 'fetchFailed'];
const COVERED_BY_ADDED: Kinds = new Set<ConditionKind>([...COVERED, ...TRAITS]);

/** The index of `items` for one sort order (migrations 1763800000000, 1765300100000 and 1765603200000). */
interface OrderIndex {
  /** The kinds of conditions that can be tested on an entry of the index, without reading the row of the item. */
  readonly tells: Kinds;
  /**
   * True if an index entry also contains `added_order`, which is needed to look up the tags of the
   * item.
   */
  readonly hasAddedOrder: boolean;
  /**
   * The bit for the property that all items in a partial index have, such as archived. 0 if the
   * index contains all items.
   */
  readonly onlyWith: number;
}

const PARTIAL = { tells: FACET, hasAddedOrder: false };

/**
 * The indexes for sorting by a column: by time of addition, by another column for all items, for archived items, and
 * for favorites. `none` means that no index has the sort order, so all matching items are sorted.
 */
const INDEXES: Readonly<Record<'added' | 'all' | 'archived' | 'favorites' | 'none', OrderIndex>> = {
  added: { tells: COVERED_BY_ADDED, hasAddedOrder: true, onlyWith: 0 },
  none: { tells: new Set(), hasAddedOrder: false, onlyWith: 0 },
  all: { tells: COVERED, hasAddedOrder: true, onlyWith: 0 },
  archived: { ...PARTIAL, tells: new Set(['facet', 'read']), onlyWith: ARCHIVED },
  favorites: { ...PARTIAL, onlyWith: FAVORITE },
};

const indexOf = (column: SortColumn): OrderIndex => INDEXES[SORT_COLUMNS[column].indexed];

/** Maps a kind of condition to the other kinds that can be tested in the same index. */
const IN_SET: Readonly<Partial<Record<ConditionKind, Kinds>>> = {
  facet: ADDED,
  tag: ADDED,
  noted: ADDED,
  gone: ADDED,
  domain: new Set(['facet', 'added']),
  added: COVERED_BY_ADDED,
  read: COVERED_BY_ADDED,
  since: COVERED,
  updatedBefore: COVERED,
  words: COVERED_BY_ADDED,
  language: COVERED_BY_ADDED,
  pdf: COVERED_BY_ADDED,
  fetchFailed: COVERED_BY_ADDED,
};

/** Returns true if the condition is tested on a column that the index by time of addition contains. */
export const isTrait = (condition: Condition): condition is TraitCondition =>
  TRAITS.includes(condition.kind);

/** Returns true if the index by time of addition finds the items that meet the condition. */
export const isInAddedIndex = (condition: Condition): boolean =>
  isTrait(condition) || condition.kind === 'added';

/** Returns true if no item without tags meets the conditions. */
export const areTagged = (conditions: readonly Condition[]): boolean =>
  conditions.some(({ kind }) => kind === 'tag' || kind === 'anyTag');

export const isInOrder = ({ kind }: Condition, column: SortColumn): boolean =>
  indexOf(column).tells.has(kind);

export const isInSet = ({ kind }: Condition, by: Condition): boolean =>
  kind === by.kind || IN_SET[by.kind]?.has(kind) === true;

/** Returns true if the index that finds items by the condition `by` also contains the sort key. */
export const isInIndex = (column: SortColumn, by: Condition): boolean =>
  (column === 'added_order' && !isOfMarks(by)) ||
  (column === 'word_count' && isInAddedIndex(by)) ||
  (by.kind === 'search' && isOrderOfTexts(column));

/**
 * Returns true if `item_search` also has an index in this sort order. The rows of `item_search` are narrower than the
 * rows of `items`.
 */
export const isOrderOfTexts = (column: SortColumn): boolean => SORT_COLUMNS[column].inSearch;

export const hasAddedOrder = (column: SortColumn): boolean => indexOf(column).hasAddedOrder;

const BESIDE_ID: Kinds = new Set(['annotated', 'progress', 'text', 'notInDigest']);
const BESIDE_ADDED_ORDER: Kinds = new Set(['tag', 'tags', 'anyTag', 'noTag', 'added']);

/**
 * Returns true if the condition can be tested in another table with only the values of an entry in the sort index, so
 * that the row of the item is not read. Without a `column`, only the id of the item is known.
 */
export const isBeside = ({ kind }: Condition, column?: SortColumn): boolean =>
  BESIDE_ID.has(kind) ||
  (BESIDE_ADDED_ORDER.has(kind) && column !== undefined && hasAddedOrder(column));

/** Returns true if an index of `items` is sorted by the column. */
export const hasIndex = (column: SortColumn): boolean => SORT_COLUMNS[column].indexed !== 'none';

/** Returns true if the index for the requested sort order contains all items that meet the conditions. */
export function isScannable({ sortKey, conditions }: PageQuery): boolean {
  const { onlyWith } = indexOf(sortKey.column);
  return (
    hasIndex(sortKey.column) &&
    (onlyWith === 0 ||
      conditions.some((one) => one.kind === 'facet' && (one.mask & one.value & onlyWith) !== 0))
  );
}
