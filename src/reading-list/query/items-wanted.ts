import type { ItemRow } from '../entities/item.entity.js';
import type { PagePosition } from './item-order.js';

/** Which items of a list are wanted; an absent property narrows nothing. */
export interface ItemFilter {
  readonly state?: 'unread' | 'archive';
  readonly favorite?: boolean;
  /** A tag by its key (tag-name.ts), or items without any. */
  readonly tag?: { readonly key: string } | 'untagged';
  readonly contentType?: 'article' | 'video' | 'image';
  /** Not empty; compared folded, in the titles and the URLs. */
  readonly search?: string;
  /** Not empty; words, "phrases", -exclusions, or: looked for in titles, addresses and articles. */
  readonly text?: string;
  /** A host in its canonical form (address.ts): itself and its subdomains. */
  readonly domain?: string;
  /** A version that an earlier answer returned: what changed after it; with tombstones, unless the filter narrows. */
  readonly since?: number;
  /** With `since`: what has another state comes too, and all tombstones, however the filter narrows. */
  readonly wholeDelta?: true;
  /** A `since` that cannot have been given, in the place of which the whole list is wanted: narrows nothing. */
  readonly wholeFor?: number;
  /** Unix seconds. */
  readonly updatedBefore?: number;
  /** Only items that have annotations, or only those that have none. */
  readonly annotated?: boolean;
  readonly itemId?: string;
}

export type ItemOrder = 'newest' | 'oldest' | 'title' | 'site';

/** Which time `newest` and `oldest` mean (docs/decisions/0016). */
export type TimeOrder = 'time_added' | 'time_read' | 'time_favorited';

export interface PageOfItems {
  readonly count: number;
  readonly offset: number;
  /** From where `offset` is counted; absent: from the beginning of the list. */
  readonly after?: PagePosition;
}

/** What is asked of a list: which items, in which order, which of them. */
export interface ItemsWanted {
  readonly filter: ItemFilter;
  readonly order: ItemOrder;
  readonly timeOrder?: TimeOrder;
  /** Against the order: the nearest before a position, and those before them. */
  readonly isReversed?: boolean;
  readonly page: PageOfItems;
  /** With a text to search for: what is most about it comes first (docs/decisions/0061). */
  readonly isRanked?: boolean;
  readonly withTotal?: boolean;
  /** Rows include notes, which most answers do not show. */
  readonly withNotes?: boolean;
}

/** The versions after which it is known what changed. */
export interface KnownSince {
  readonly oldest: number;
  readonly newest: number;
}

/** A page of a list as it was at one moment. */
export interface ItemsFound {
  /** In the order asked for. */
  readonly rows: readonly ItemRow[];
  /** What was deleted, after the items; only when asked for what changed. */
  readonly tombstones: readonly Tombstone[];
  /** The version to ask with next time: everything that is in this answer has it or a lower one. */
  readonly since: number;
  /** Of the latest change of the list at that moment. */
  readonly version: number;
  readonly total?: number;
  /** The number of items and tombstones. */
  readonly size: number;
  /** The last row; absent when there is none. */
  readonly end?: PagePosition;
}

export interface Tombstone {
  readonly item_id: string;
}
