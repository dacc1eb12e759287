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
  /** The bits of the item's facet (combination of properties) that depend on the page: article, video, image. */
  readonly kind: number;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
}

/** The origin of an item's state: an imported file, or a change by the user. Times are Unix seconds. */
export interface Origin {
  readonly timeUpdated: number;
  /**
   * The time of the item's last change according to the imported file, or 0 if unknown. Null after
   * the user has changed the item in Satchel.
   */
  readonly importedAsOf: number | null;
}

/** The record of a deleted item, as it is written to the database. */
export interface BuriedItem {
  readonly itemId: string;
  /** The item id that is computed from the address of the deleted item. Set only if the deleted item had another id. */
  readonly addressId?: string | null | undefined;
}

/** The record of a deleted item, as it is read from the database. */
export interface StoredTombstone extends BuriedItem {
  /** The list version of the deletion. Null if not the user, but the undo of an import has removed the item. */
  readonly deletedAt: number | null;
}

/** A stored tag. At least one item has the tag. */
export interface StoredTag {
  readonly id: string;
  readonly name: string;
  readonly itemCount: number;
}

/** The part of a list that is loaded for a batch of actions. */
export interface LoadedState {
  /** The annotations that the batch may change. Undefined if no action concerns annotations. */
  readonly annotations?: readonly AnnotationPlace[];
  /** The data about pages that the batch may change. Undefined if no action concerns such data. */
  readonly details?: readonly StoredDetails[];
  readonly items: readonly StoredItem[];
  readonly tombstones: readonly StoredTombstone[];
  /** The stored tags that the actions of the batch contain. */
  readonly tags: readonly StoredTag[];
}

/** The ids of items and tags in the actions of one call. Some of these ids may not exist in the list. */
export interface TouchedIds {
  readonly itemIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly annotations?: TouchedAnnotations;
  /** The ids of items for which stored data about the page must be loaded. */
  readonly detailedItemIds?: readonly string[];
}

/** The annotations to load: those with the given ids, and all annotations of the given items. */
export interface TouchedAnnotations {
  readonly ids: readonly string[];
  readonly itemIds: readonly string[];
}

/**
 * The maximum number of URLs in one list that may have the same hash. More URLs with the same hash occur only in an
 * attack.
 */
const MAX_COLLISIONS = 4;

/** A reference to an item of a list, by its id or its address. */
export type ItemReference = { readonly itemId: string } | { readonly address: Address };

/** An item to save. An item that is already in the list moves to the top. */
export interface NewItem {
  readonly item: ItemReference;
  readonly title: string | undefined;
  /** True if the user's title is shown instead of the title of the page (docs/decisions/0016). */
  readonly prefersGivenTitle: boolean;
  readonly tags: readonly TagName[];
  /** True if the client sends the page itself, so that it need not be fetched. */
  readonly bringsPage?: boolean;
  /** The sequence number of an item that keeps its position in the list. Undefined for the next number. */
  readonly addedSequence?: number;
}

/** Returns the URL and the title of a new item. Leaves out values that the caller has not set. */
export const textsOf = ({ item, title, prefersGivenTitle }: NewItem): Partial<ItemState> => ({
  ...('address' in item && { givenUrl: item.address.givenUrl }),
  ...(title !== undefined && { givenTitle: title, prefersGivenTitle }),
});

/** Returns the ids under which the referenced item may be stored in the list. */
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
 * The factor by which a time in seconds is multiplied before the sequence number is added. Each second has room for
 * this many sequence numbers, and half of them are negative (docs/decisions/0035). A migration uses the same value.
 */
const PLACES_IN_SECOND = 2n ** 30n;

/**
 * The sequence number at which the numbering starts again at 0. Only items that are added in the
 * same second as this restart are sorted incorrectly.
 */
export const SEQUENCE_END = 2 ** 29;

/** Returns the value of the column `items.added_order`, which is the sort key of the orders `newest` and `oldest`. */
export const addedOrder = ({ timeAdded, addedSequence }: AddedAt): string =>
  String(BigInt(timeAdded) * PLACES_IN_SECOND + BigInt(addedSequence));

/** Assigns sequence numbers to the items that are added to one list. */
export class Additions {
  private made = 0;

  constructor(private readonly before = 0) {}

  /** The number of additions in this transaction, including items that were added again. */
  get count(): number {
    return this.made;
  }

  /**
   * Returns the time and the sequence number of a new item. The list shows this item as newer than all items that were
   * added before it in the same second, unless the caller passes a sequence number.
   */
  at(timeAdded: number, addedSequence = this.next()): AddedAt {
    return { timeAdded, addedSequence };
  }

  /**
   * Returns the time and the sequence number of a new item from a file that lists the newest items first. The list
   * shows this item as older than all items that were added before it in the same second.
   */
  olderAt(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: -this.next() };
  }

  private next(): number {
    this.made += 1;
    return (this.before + this.made) % SEQUENCE_END;
  }
}
