import type { StoredDetails } from '../details/tracked-details.js';
import { type Address, nextItemId } from './address.js';
import type { TagName } from './tag-name.js';
import type { AnnotationPlace } from './tracked-annotations.js';

/** The properties of an item that actions can change. Times are Unix seconds, and 0 means never. */
export interface ItemState extends AddedAt {
  readonly status: 0 | 1;
  readonly favorite: 0 | 1;
  readonly timeRead: number;
  readonly timeFavorited: number;
  readonly givenUrl: string;
  readonly givenTitle: string;
  readonly prefersGivenTitle: boolean;
  /** The note of the user about the page. Empty if there is no note. */
  readonly note: string;
  /** The ids of the tags, in the order in which the tags are shown. */
  readonly tagIds: readonly string[];
}

/** An item as it is stored in the database. */
export interface StoredItem extends Omit<ItemState, 'tagIds'>, Origin {
  readonly itemId: string;
  readonly tags: readonly string[];
  /** The bits of the facet that depend on the content of the page: article, video, image. */
  readonly kind: number;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
}

/** The origin of an item's state: an imported file, or a change by the user. Times are Unix seconds. */
export interface Origin {
  readonly timeUpdated: number;
  /**
   * The time at which the imported state was valid, or 0 if this time is unknown. Null after the user has changed the
   * item in Satchel.
   */
  readonly importedAsOf: number | null;
}

/** The record of a deleted item. */
export interface BuriedItem {
  readonly itemId: string;
  /** The id that is computed from the item's address. It is set only if the deleted item had another id. */
  readonly addressId?: string | null | undefined;
}

/** The record of a deleted item, with the time of the deletion. */
export interface StoredTombstone extends BuriedItem {
  readonly deletedAt: number;
}

/** A stored tag. At least one item has the tag. */
export interface StoredTag {
  readonly id: string;
  readonly name: string;
  readonly itemCount: number;
}

/** The part of a list that a batch of actions concerns. */
export interface LoadedState {
  /** The annotations that the batch concerns. Undefined if no action concerns annotations. */
  readonly annotations?: readonly AnnotationPlace[];
  /** The data about pages that the batch concerns. Undefined if no action concerns such data. */
  readonly details?: readonly StoredDetails[];
  readonly items: readonly StoredItem[];
  readonly tombstones: readonly StoredTombstone[];
  /** The stored tags whose names are in the batch. */
  readonly tags: readonly StoredTag[];
}

/** The ids of items and tags in the actions of one call. Some of these ids may not exist in the list. */
export interface TouchedIds {
  readonly itemIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly annotations?: TouchedAnnotations;
  /** The ids of items whose pages a client may have described. */
  readonly detailedItemIds?: readonly string[];
}

/** The annotations to load: those with the given ids, and all annotations of the given items. */
export interface TouchedAnnotations {
  readonly ids: readonly string[];
  readonly itemIds: readonly string[];
}

/** The maximum number of URLs in one list with the same hash. Without an attack, a list never has more such URLs. */
const MAX_COLLISIONS = 4;

/** A reference to an item of a list, by its id or its address. */
export type ItemReference = { readonly itemId: string } | { readonly address: Address };

/** An item to save, or to move back to the top of the list. */
export interface NewItem {
  readonly item: ItemReference;
  readonly title: string | undefined;
  /** True if the user's title is shown instead of the title of the page (docs/decisions/0016). */
  readonly prefersGivenTitle: boolean;
  readonly tags: readonly TagName[];
  /** True if the client sends the page itself, so that it need not be fetched. */
  readonly bringsPage?: boolean;
}

/** Returns the URL and the title of a new item. Leaves out values that the caller has not set. */
export const textsOf = ({ item, title, prefersGivenTitle }: NewItem): Partial<ItemState> => ({
  ...('address' in item && { givenUrl: item.address.givenUrl }),
  ...(title !== undefined && { givenTitle: title, prefersGivenTitle }),
});

/** Returns the ids that the item of this reference may have in the list. */
export const candidateIds = (item: ItemReference): readonly string[] =>
  'itemId' in item ? [item.itemId] : [...idsOfNewItem(item.address), ...item.address.formerItemIds];

/**
 * Returns the possible ids for a new item with this address, the preferred id first. Some of these ids may already
 * belong to other addresses.
 */
export function idsOfNewItem({ itemId }: Address): readonly string[] {
  const ids = [itemId];
  while (ids.length < MAX_COLLISIONS) {
    ids.push(nextItemId(ids.at(-1) ?? ''));
  }
  return ids;
}

/** The time at which an item was added, and a sequence number that orders items of the same second. */
export interface AddedAt {
  /** The time at which the item was added, in Unix seconds. */
  readonly timeAdded: number;
  readonly addedSequence: number;
}

/**
 * The factor that combines the time and the sequence number in one number. Half of the numbers of each second are for
 * negative sequence numbers (docs/decisions/0035). A migration also uses this factor.
 */
const PLACES_IN_SECOND = 2n ** 30n;

/**
 * The sequence number after which numbering starts again, after half a billion additions. Only items that are added in
 * the second of the restart are then sorted incorrectly.
 */
const SEQUENCE_END = 2 ** 29;

/** Returns the value of the column `items.added_order`, by which the sort orders `newest` and `oldest` sort. */
export const addedOrder = ({ timeAdded, addedSequence }: AddedAt): string =>
  String(BigInt(timeAdded) * PLACES_IN_SECOND + BigInt(addedSequence));

/** Assigns sequence numbers to the items that are added to one list. */
export class Additions {
  private made = 0;

  constructor(private readonly before = 0) {}

  /** The number of additions in this transaction. An item that was added again is counted again. */
  get count(): number {
    return this.made;
  }

  /**
   * Returns the time and sequence number of a new item. In the list, this item is newer than all items that were added
   * earlier in the same second.
   */
  at(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: this.next() };
  }

  /**
   * Returns the time and sequence number of a new item from a file that lists the newest items first. In the list, this
   * item is older than all items that were added earlier in the same second.
   */
  olderAt(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: -this.next() };
  }

  private next(): number {
    this.made += 1;
    return (this.before + this.made) % SEQUENCE_END;
  }
}
