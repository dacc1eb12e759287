import { withoutControls } from '../../common/control-characters.js';
import { domainRange, type KeyRange } from './domain-range.js';
import { folded } from './folding.js';
import type { ItemFilter } from './item-filter.js';
import { tagId } from './tag-name.js';

/** One test that an item must pass. The list may keep an index for it, or know how many items pass. */
export type Condition =
  | ({ readonly kind: 'facet' } & FacetTest)
  | { readonly kind: 'tag'; readonly id: string }
  | { readonly kind: 'search'; readonly text: string }
  | ({ readonly kind: 'domain' } & KeyRange)
  | { readonly kind: 'since'; readonly stamp: number; readonly withTombstones: boolean }
  | { readonly kind: 'updatedBefore'; readonly time: number }
  | { readonly kind: 'annotated'; readonly wanted: boolean }
  | { readonly kind: 'item'; readonly id: string };
export type ConditionKind = Condition['kind'];

/** The bits of `items.facet` that are looked at, and what they must be. */
export interface FacetTest {
  readonly mask: number;
  readonly value: number;
}

const FACETS = 64;
const ARCHIVED = 1;
const FAVORITE = 2;
const TAGGED = 4;
const CONTENT = { article: 8, video: 16, image: 32 } as const;

/** What an item with any tag at all passes; the indexes know this, and not the tags. */
export const TAGGED_ONES: Condition = { kind: 'facet', mask: TAGGED, value: TAGGED };

/** What a filter asks for, one condition for each index that can answer it. */
export function conditionsOf(filter: ItemFilter): readonly Condition[] {
  const { since, wholeDelta = false } = filter;
  const narrowing = narrowingOf(filter);
  // Nobody knows what a deleted item would pass (docs/decisions/0016).
  const withTombstones = wholeDelta || narrowing.length === 0;
  return since === undefined
    ? narrowing
    : [...narrowing, { kind: 'since', stamp: since, withTombstones }];
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

/** The facets that pass. */
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
