import type { ItemRow } from '../entities/item.entity.js';
import type { ItemOrder, PagePosition, TimeOrder } from './item-order.js';

/** A filter for the items of a list. A property that is undefined selects all items. */
export interface ItemFilter {
  readonly state?: 'unread' | 'archive';
  readonly favorite?: boolean;
  /** The key of a tag (tag-name.ts), or `untagged` for items without tags. */
  readonly tag?: { readonly key: string } | 'untagged';
  /** Keys of tags. Selects items that have all of them, and `tag`. */
  readonly tags?: readonly string[];
  /** Keys of tags. Selects items that have at least one of them. */
  readonly anyTag?: readonly string[];
  /** Keys of tags. Selects items that have none of them. */
  readonly noTag?: readonly string[];
  readonly contentType?: 'article' | 'video' | 'image';
  /** A text to search for in titles and URLs, ignoring case. It is not empty. */
  readonly search?: string;
  /**
   * A full-text search in titles, addresses and articles. It may contain words, "phrases", -exclusions and `or`, and is
   * not empty.
   */
  readonly text?: string;
  /** A host in its canonical form (address.ts). Items on its subdomains match too. */
  readonly domain?: string;
  /**
   * A list version from an earlier response. Selects only items that changed after this version. Also selects records
   * of deleted items if no other filter is set.
   */
  readonly since?: number;
  /**
   * True to select changed items in any state, regardless of `state`, and the records of all items that were deleted
   * after `since`.
   */
  readonly wholeDelta?: true;
  /**
   * The `since` of the request, if it is higher than any version in an earlier response. The
   * response is then the whole list.
   */
  readonly wholeFor?: number;
  /** A time in Unix seconds. Selects only items that were updated before this time. */
  readonly updatedBefore?: number;
  /** True selects only items with annotations. False selects only items without annotations. */
  readonly annotated?: boolean;
  readonly itemId?: string;
  /** Selects only items with one of these ids. */
  readonly itemIds?: readonly string[];
  /** The number of words of an article. Selects only articles. */
  readonly words?: WordRange;
  /** A language code such as `de`. Its regional forms, such as `de-AT`, match too. */
  readonly language?: string;
  readonly progress?: Progress;
  readonly isPdf?: true;
  /** True selects only items whose page could not be fetched. */
  readonly isFetchFailed?: true;
  /** True selects only items whose page is gone from the web. */
  readonly isGone?: true;
  /** The time at which the item was added. */
  readonly added?: TimeSpan;
  /** The time at which the item was archived. Selects only archived items. */
  readonly read?: TimeSpan;
  /** True selects only items with a note of the user. */
  readonly hasNote?: true;
  /** The id of a saved list. Selects only items that no digest of this list has contained. */
  readonly notInDigestOf?: string;
}

/** A span of time in Unix seconds: at least `from`, and less than `below`. A bound that is undefined is open. */
export interface TimeSpan {
  readonly from?: number;
  readonly below?: number;
}

/** The end of a range of word counts that has no upper limit. */
export const MOST_WORDS = 2 ** 31 - 1;

/** A range of word counts: at least `from`, and less than `below`. */
export interface WordRange {
  readonly from: number;
  readonly below: number;
}

/** How far the user has read an item: not yet, a part of it, or (almost) all of it. */
export type Progress = 'unstarted' | 'started' | 'finished';

export interface PageOfItems {
  readonly count: number;
  readonly offset: number;
  /**
   * The position from which `offset` is counted. If it is undefined, `offset` is counted from the beginning of the
   * list.
   */
  readonly after?: PagePosition;
}

/** A request for a page of the items of a list, with filter and order. */
export interface ItemsWanted {
  readonly filter: ItemFilter;
  readonly order: ItemOrder;
  readonly timeOrder?: TimeOrder;
  /**
   * True to read backwards: the page contains the items before a position, the nearest item first.
   */
  readonly isReversed?: boolean;
  readonly page: PageOfItems;
  /** True to sort a text search by rank, with the best matches first (docs/decisions/0061). */
  readonly isRanked?: boolean;
  readonly withTotal?: boolean;
  /** True to include the notes of the user in the rows. Most responses do not contain notes. */
  readonly withNotes?: boolean;
}

/** The range of valid values of `since`: for each of them, the database still contains all later changes. */
export interface KnownSince {
  readonly oldest: number;
  readonly newest: number;
}

/** An item of a page without its columns. Its other columns change only together with its version. */
export interface ItemVersion {
  readonly item_id: string;
  /** The list version of the item's latest change. */
  readonly item_version: string;
}

/** An item of a page with its columns. */
export type VersionedRow = ItemRow & ItemVersion;

/** A page of a list. All values come from one snapshot of the database. */
export interface ItemsFound<Row = ItemRow> {
  /** The rows of the page, in the requested order. */
  readonly rows: readonly Row[];
  /** Records of deleted items, which follow the items of the page. Set only if the request contains `since`. */
  readonly tombstones: readonly Tombstone[];
  /**
   * The list version that the client sends as `since` with its next call. All data in this response has this version or
   * a lower version.
   */
  readonly since: number;
  /** The version of the latest change of the list when the page was read. */
  readonly version: number;
  readonly total?: number;
  /** The number of items and records of deleted items on this page. */
  readonly size: number;
  /** The position of the last row. Undefined if the page is empty. */
  readonly end?: PagePosition;
}

export interface Tombstone {
  readonly item_id: string;
}
