import { withoutControls } from '../../lib/util/clean-text.js';
import { ARCHIVED, CONTENT, FACETS, FAVORITE, TAGGED } from '../facet.js';
import { folded } from '../list/item-texts.js';
import { tagId } from '../list/tag-name.js';
import type { CompiledTextQuery } from '../texts/compiled-query.js';
import { SORT_COLUMNS, type SortColumn, type SortKey } from './item-order.js';
import type { ItemFilter, PageOfItems } from './items-wanted.js';
import type { Ranking } from './ranking.sql.js';

/**
 * A test that an item must pass. For some conditions, the list has an index or stores the number of items that pass.
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
  | { readonly kind: 'item'; readonly id: string };

export interface TextCondition {
  readonly kind: 'text';
  readonly query: CompiledTextQuery;
  /** True if scanning the newest items finds matches faster than the index of words does. */
  readonly isCommon?: boolean;
}

export type ConditionKind = Condition['kind'];

/** The bits of `items.facet` to compare, and the required values of these bits. */
interface FacetTest {
  readonly mask: number;
  readonly value: number;
}

/**
 * The condition that an item has tags. The indexes for sorting contain whether an item has tags, but not which tags.
 */
export const TAGGED_ONES: Condition = { kind: 'facet', mask: TAGGED, value: TAGGED };

/**
 * Returns the conditions of a filter. Each condition can be answered by one index. `text` is the compiled
 * `filter.text`.
 */
export function conditionsOf(filter: ItemFilter, text?: CompiledTextQuery): readonly Condition[] {
  const { since, wholeDelta = false } = filter;
  const narrowing: readonly Condition[] = [
    ...narrowingOf(filter),
    ...(text === undefined ? [] : [{ kind: 'text', query: text } as const]),
  ];
  // If other filters are set, tombstones are omitted: it is unknown which filters a deleted item would pass
  // (docs/decisions/0016).
  const withTombstones = wholeDelta || narrowing.length === 0;
  return since === undefined
    ? narrowing
    : [...narrowing, { kind: 'since', version: since, withTombstones }];
}

function narrowingOf(filter: ItemFilter): readonly Condition[] {
  const { tag, search, domain, updatedBefore, annotated, itemId } = filter;
  const facet = facetTest(filter);
  const all: readonly (Condition | false)[] = [
    facet.mask !== 0 && { kind: 'facet', ...facet },
    typeof tag === 'object' && { kind: 'tag', id: tagId(tag.key) },
    search !== undefined && { kind: 'search', text: folded(withoutControls(search)) },
    domain !== undefined && { kind: 'domain', ...domainRange(domain) },
    annotated !== undefined && { kind: 'annotated', wanted: annotated },
    itemId !== undefined && { kind: 'item', id: itemId },
    updatedBefore !== undefined && { kind: 'updatedBefore', time: updatedBefore },
  ];
  return all.filter((condition) => condition !== false);
}

export const passes = (facet: number, { mask, value }: FacetTest): boolean =>
  (facet & mask) === value;

export const facetsPassing = (test: FacetTest): number[] =>
  [...Array(FACETS).keys()].filter((facet) => passes(facet, test));

function facetTest(filter: ItemFilter): FacetTest {
  const { state, favorite, tag, contentType, since, wholeDelta = false } = filter;
  const hasAnyState = state === undefined || (wholeDelta && since !== undefined);
  const archived = hasAnyState ? undefined : state === 'archive';
  const bits = [
    bit(ARCHIVED, archived),
    bit(FAVORITE, favorite),
    bit(TAGGED, tag === 'untagged' ? false : undefined),
    contentType === undefined ? bit(0, undefined) : bit(CONTENT[contentType], true),
  ];
  return bits.reduce((all, { mask, value }) => ({
    mask: all.mask | mask,
    value: all.value | value,
  }));
}

const bit = (mask: number, isSet: boolean | undefined): FacetTest =>
  isSet === undefined ? { mask: 0, value: 0 } : { mask, value: isSet ? mask : 0 };

interface KeyRange {
  readonly from: string;
  readonly below: string;
}

/**
 * Returns the range of `items.site` for a host and its subdomains. A site is the reversed host and a slash. In the sort
 * order, a slash comes directly after a dot, so a host and its subdomains are adjacent.
 */
export function domainRange(domain: string): KeyRange {
  const backwards = Array.from(domain).reverse().join('');
  return { from: `${backwards}.`, below: `${backwards}0` };
}

/** A query for a page of one list, with filter and order. Every plan can find such a page. */
export interface PageQuery {
  readonly userId: string;
  readonly conditions: readonly Condition[];
  readonly sortKey: SortKey;
  readonly page: PageOfItems;
  /** True if the page skips so many items that it is worth checking first whether any items remain. */
  readonly isLate: boolean;
  /**
   * The requested offset and direction, if the page is read from the other end of the list. In that case, `page` and
   * `sortKey` refer to the other end.
   */
  readonly fromEnd?: { readonly offset: number; readonly direction: SortKey['direction'] };
  /** The search to rank by. If set, `page` contains the items to rank. */
  readonly ranking?: Ranking;
  readonly withTotal: boolean;
  readonly withNotes?: boolean;
  /** True if `item_search` contains copies of the items of this list. */
  readonly hasTexts: boolean;
}

type Kinds = ReadonlySet<ConditionKind>;

const COVERED: Kinds = new Set<ConditionKind>(['facet', 'since', 'updatedBefore']);
const FACET: Kinds = new Set<ConditionKind>(['facet']);

/** The index of `items` for one sort order (migrations 1763800000000 and 1765300100000). */
interface OrderIndex {
  /** The kinds of conditions that an index entry answers without the row of its item. */
  readonly tells: Kinds;
  /** True if an entry also contains `added_order`, which is needed to look up the tags of the item. */
  readonly hasAddedOrder: boolean;
  /** The facet bit that all items of a partial index have. 0 if the index contains all items. */
  readonly onlyWith: number;
}

const PARTIAL = { tells: FACET, hasAddedOrder: false };

/** The index of a sort column, by the items that are in the index. */
const INDEXES: Readonly<Record<'all' | 'archived' | 'favorites', OrderIndex>> = {
  all: { tells: COVERED, hasAddedOrder: true, onlyWith: 0 },
  archived: { ...PARTIAL, onlyWith: ARCHIVED },
  favorites: { ...PARTIAL, onlyWith: FAVORITE },
};

const indexOf = (column: SortColumn): OrderIndex => INDEXES[SORT_COLUMNS[column].indexed];

/** The kinds of conditions that the index for another kind of condition also answers. */
const IN_SET: Readonly<Partial<Record<ConditionKind, Kinds>>> = {
  domain: FACET,
  since: COVERED,
  updatedBefore: COVERED,
};

export const isInOrder = ({ kind }: Condition, column: SortColumn): boolean =>
  indexOf(column).tells.has(kind);

export const isInSet = ({ kind }: Condition, by: Condition): boolean =>
  kind === by.kind || IN_SET[by.kind]?.has(kind) === true;

/** True if the index that answers `by` contains the sort key. */
export const isInIndex = (column: SortColumn, by: Condition): boolean =>
  column === 'added_order' || (by.kind === 'search' && isOrderOfTexts(column));

/** True if `item_search`, whose rows are narrower than those of `items`, also has an index in this order. */
export const isOrderOfTexts = (column: SortColumn): boolean => SORT_COLUMNS[column].inSearch;

export const hasAddedOrder = (column: SortColumn): boolean => indexOf(column).hasAddedOrder;

/** True if a condition can be looked up from an entry of the index in this order, without the row of the item. */
export const isBeside = ({ kind }: Condition, column: SortColumn): boolean =>
  kind === 'annotated' || kind === 'text' || (kind === 'tag' && hasAddedOrder(column));

/** True if all items that pass are in the index of `items` for the requested order. */
export function isScannable({ sortKey, conditions }: PageQuery): boolean {
  const { onlyWith } = indexOf(sortKey.column);
  return (
    onlyWith === 0 ||
    conditions.some((one) => one.kind === 'facet' && (one.mask & one.value & onlyWith) !== 0)
  );
}
