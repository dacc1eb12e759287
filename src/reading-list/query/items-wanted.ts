import type { ItemRow } from '../entities/item.entity.js';
import type { ItemOrder, PagePosition, TimeOrder } from './item-order.js';

/** A filter for the items of a list. If a property is absent, it does not filter. */
export interface ItemFilter {
  readonly state?: 'unread' | 'archive';
  readonly favorite?: boolean;
  /** The key of a tag (tag-name.ts), or `untagged` for items without tags. */
  readonly tag?: { readonly key: string } | 'untagged';
  readonly contentType?: 'article' | 'video' | 'image';
  /** A folded text to search for in titles and URLs. The text is not empty. */
  readonly search?: string;
  /**
   * A full-text search in titles, addresses and articles: words, "phrases", -exclusions and `or`. The text is not
   * empty.
   */
  readonly text?: string;
  /** A host in its canonical form (address.ts). Items on its subdomains match too. */
  readonly domain?: string;
  /**
   * A version from an earlier answer. Only items that changed after this version match. Includes tombstones if no other
   * filter is set.
   */
  readonly since?: number;
  /** Extends `since`: includes items in other states and all tombstones, regardless of the other filters. */
  readonly wholeDelta?: true;
  /** A `since` that no answer can have returned. It does not filter, so the answer is the whole list. */
  readonly wholeFor?: number;
  /** A time in unix seconds. Only items that were updated earlier match. */
  readonly updatedBefore?: number;
  /** True selects only items with annotations. False selects only items without annotations. */
  readonly annotated?: boolean;
  readonly itemId?: string;
}

export interface PageOfItems {
  readonly count: number;
  readonly offset: number;
  /** The position from which `offset` is counted. If absent, `offset` is counted from the beginning of the list. */
  readonly after?: PagePosition;
}

/** A request for a page of the items of a list, with filter and order. */
export interface ItemsWanted {
  readonly filter: ItemFilter;
  readonly order: ItemOrder;
  readonly timeOrder?: TimeOrder;
  /** True to read in the opposite direction: the items before a position, with the nearest item first. */
  readonly isReversed?: boolean;
  readonly page: PageOfItems;
  /** True to sort a text search by rank, with the best matches first (docs/decisions/0061). */
  readonly isRanked?: boolean;
  readonly withTotal?: boolean;
  /** True to include notes in the rows. Most answers do not show notes. */
  readonly withNotes?: boolean;
}

/** The range of versions for which the service knows all later changes. */
export interface KnownSince {
  readonly oldest: number;
  readonly newest: number;
}

/** A page of a list. All values are from one snapshot. */
export interface ItemsFound {
  /** The rows of the page, in the requested order. */
  readonly rows: readonly ItemRow[];
  /** The deleted items, which follow the other items. Only present if the call has a `since`. */
  readonly tombstones: readonly Tombstone[];
  /**
   * The version that the client sends with its next call. All data in this answer has this version or a lower version.
   */
  readonly since: number;
  /** The version of the latest change of the list in the snapshot. */
  readonly version: number;
  readonly total?: number;
  /** The number of items and tombstones. */
  readonly size: number;
  /** The position of the last row. Absent if the page is empty. */
  readonly end?: PagePosition;
}

export interface Tombstone {
  readonly item_id: string;
}
