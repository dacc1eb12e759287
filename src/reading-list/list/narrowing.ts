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
  | { readonly kind: 'since'; readonly stamp: number }
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
  const { tag, search, domain, annotated, itemId } = filter;
  const facet = facetTest(filter);
  const all: readonly (Condition | false)[] = [
    facet.mask !== 0 && { kind: 'facet', ...facet },
    typeof tag === 'object' && { kind: 'tag', id: tagId(tag.key) },
    search !== undefined && { kind: 'search', text: folded(withoutControls(search)) },
    domain !== undefined && { kind: 'domain', ...domainRange(domain) },
    annotated !== undefined && { kind: 'annotated', wanted: annotated },
    itemId !== undefined && { kind: 'item', id: itemId },
  ];
  return [...all, ...timesOf(filter)].filter((condition) => condition !== false);
}

const timesOf = ({ since, updatedBefore }: ItemFilter): readonly (Condition | false)[] => [
  since !== undefined && { kind: 'since', stamp: since },
  updatedBefore !== undefined && { kind: 'updatedBefore', time: updatedBefore },
];

export const passes = (facet: number, { mask, value }: FacetTest): boolean =>
  (facet & mask) === value;

/** The facets that pass. */
export const facetsPassing = (test: FacetTest): number[] =>
  [...Array(FACETS).keys()].filter((facet) => passes(facet, test));

function facetTest({ state, favorite, tag, contentType, since }: ItemFilter): FacetTest {
  // A delta carries the items that left the state as well (docs/decisions/0016).
  const archived = since === undefined && state !== undefined ? state === 'archive' : undefined;
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
