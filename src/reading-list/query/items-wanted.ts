import type { ItemRow } from '../entities/item.entity.js';
import type { PagePosition } from './item-order.js';

/** A filter for the items of a list. An absent property does not filter. */
export interface ItemFilter {
  readonly state?: 'unread' | 'archive';
  readonly favorite?: boolean;
  /** A tag by its key (tag-name.ts), or items without any tag. */
  readonly tag?: { readonly key: string } | 'untagged';
  readonly contentType?: 'article' | 'video' | 'image';
  /** Not empty. Searched in titles and URLs, after folding. */
  readonly search?: string;
  /** Not empty. Words, "phrases", -exclusions and `or`, searched in titles, addresses and articles. */
  readonly text?: string;
  /** A host in its canonical form (address.ts), with its subdomains. */
  readonly domain?: string;
  /**
   * A version from an earlier answer: only items that changed after it. Includes tombstones if no other filter is set.
   */
  readonly since?: number;
  /** With `since`: includes items in other states and all tombstones, whatever the other filters are. */
  readonly wholeDelta?: true;
  /** A `since` that no answer can have returned. It is answered with the whole list and does not filter. */
  readonly wholeFor?: number;
  /** Unix seconds. */
  readonly updatedBefore?: number;
  /** True for items with annotations only, false for items without annotations only. */
  readonly annotated?: boolean;
  readonly itemId?: string;
}

export type ItemOrder = 'newest' | 'oldest' | 'title' | 'site';

/** The time that `newest` and `oldest` sort by (docs/decisions/0016). */
export type TimeOrder = 'time_added' | 'time_read' | 'time_favorited';

export interface PageOfItems {
  readonly count: number;
  readonly offset: number;
  /** The position after which `offset` is counted. Absent: the beginning of the list. */
  readonly after?: PagePosition;
}

/** A request for items of a list: filter, order and page. */
export interface ItemsWanted {
  readonly filter: ItemFilter;
  readonly order: ItemOrder;
  readonly timeOrder?: TimeOrder;
  /** Reads against the order: the items before a position, the nearest first. */
  readonly isReversed?: boolean;
  readonly page: PageOfItems;
  /** With a search text: the best matches come first (docs/decisions/0061). */
  readonly isRanked?: boolean;
  readonly withTotal?: boolean;
  /** Rows include notes, which most answers do not show. */
  readonly withNotes?: boolean;
}

/** The range of versions after which all changes are known. */
export interface KnownSince {
  readonly oldest: number;
  readonly newest: number;
}

/** A page of a list, from one snapshot. */
export interface ItemsFound {
  /** In the requested order. */
  readonly rows: readonly ItemRow[];
  /** Deleted items, which follow the items. Only in answers to `since`. */
  readonly tombstones: readonly Tombstone[];
  /** The version to send with the next call. Everything in this answer has this version or a lower one. */
  readonly since: number;
  /** The version of the latest change of the list at that moment. */
  readonly version: number;
  readonly total?: number;
  /** The number of items and tombstones. */
  readonly size: number;
  /** The last row; absent if the page is empty. */
  readonly end?: PagePosition;
}

export interface Tombstone {
  readonly item_id: string;
}
