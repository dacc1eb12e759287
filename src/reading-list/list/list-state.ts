import type { StoredDetails } from '../details/tracked-details.js';
import { type Address, nextItemId } from './address.js';
import type { TagName } from './tag-name.js';
import type { AnnotationPlace } from './tracked-annotations.js';

/** The properties of an item that actions may change. Times are unix seconds; 0 means never. */
export interface ItemState extends AddedAt {
  readonly status: 0 | 1;
  readonly favorite: 0 | 1;
  readonly timeRead: number;
  readonly timeFavorited: number;
  readonly givenUrl: string;
  readonly givenTitle: string;
  readonly prefersGivenTitle: boolean;
  /** The note of the user about the page; empty if there is none. */
  readonly note: string;
  /** In the order in which they are shown. */
  readonly tagIds: readonly string[];
}

/** An item as it is stored. */
export interface StoredItem extends Omit<ItemState, 'tagIds'>, Origin {
  readonly itemId: string;
  readonly tags: readonly string[];
  /** The bits of the facet that the resolver decides: article, video, image. */
  readonly kind: number;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
}

/** Where the state of an item comes from; times are unix seconds. */
export interface Origin {
  readonly timeUpdated: number;
  /** The time of the imported state, 0 if unknown; null once the user has changed the item in Satchel. */
  readonly importedAsOf: number | null;
}

/** A deleted item. */
export interface BuriedItem {
  readonly itemId: string;
  /** The id of the address, if it differs from the id of the item. */
  readonly addressId?: string | null | undefined;
}

/** A deleted item, and when it was deleted. */
export interface StoredTombstone extends BuriedItem {
  readonly deletedAt: number;
}

/** A stored tag. Every stored tag is carried by at least one item. */
export interface StoredTag {
  readonly id: string;
  readonly name: string;
  readonly itemCount: number;
}

/** The part of a list that a batch of actions touches. */
export interface LoadedState {
  /** Absent if no action concerns annotations. */
  readonly annotations?: readonly AnnotationPlace[];
  /** Absent if no action concerns details. */
  readonly details?: readonly StoredDetails[];
  readonly items: readonly StoredItem[];
  readonly tombstones: readonly StoredTombstone[];
  /** The existing tags among those that the batch names. */
  readonly tags: readonly StoredTag[];
}

/** The ids that a batch of actions touches. Some of them may not exist. */
export interface TouchedIds {
  readonly itemIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly annotations?: TouchedAnnotations;
  /** Items whose details may change. */
  readonly detailedItemIds?: readonly string[];
}

/** Annotations by their ids, and all annotations of some items. */
export interface TouchedAnnotations {
  readonly ids: readonly string[];
  readonly itemIds: readonly string[];
}

/** How many URLs of one list may share a hash. More do not occur by chance. */
const MAX_COLLISIONS = 4;

/** A reference to an item of a list. */
export type ItemReference = { readonly itemId: string } | { readonly address: Address };

/** An item to save, or to bring back to the top. */
export interface NewItem {
  readonly item: ItemReference;
  readonly title: string | undefined;
  /** The title wins over the one that the page has (docs/decisions/0016). */
  readonly prefersGivenTitle: boolean;
  readonly tags: readonly TagName[];
  /** The client sends the page itself, so it need not be fetched. */
  readonly bringsPage?: boolean;
}

/** Returns the texts of the item that the request sets. */
export const textsOf = ({ item, title, prefersGivenTitle }: NewItem): Partial<ItemState> => ({
  ...('address' in item && { givenUrl: item.address.givenUrl }),
  ...(title !== undefined && { givenTitle: title, prefersGivenTitle }),
});

/** Returns the ids under which the item may be stored. */
export const candidateIds = (item: ItemReference): readonly string[] =>
  'itemId' in item ? [item.itemId] : [...idsOfNewItem(item.address), ...item.address.formerItemIds];

/**
 * Returns the ids that a new item at the address may get, in order of preference. Some may belong to other addresses.
 */
export function idsOfNewItem({ itemId }: Address): readonly string[] {
  const ids = [itemId];
  while (ids.length < MAX_COLLISIONS) {
    ids.push(nextItemId(ids.at(-1) ?? ''));
  }
  return ids;
}

/** When an item was added: the second that is shown, and a sequence that orders items of the same second. */
export interface AddedAt {
  /** In unix seconds. */
  readonly timeAdded: number;
  readonly addedSequence: number;
}

/**
 * Combines the time and the sequence in one number, as the migration does. Half of the places of a second are for
 * negative sequences (docs/decisions/0035).
 */
const PLACES_IN_SECOND = 2n ** 30n;

/** The sequence starts again after half a billion additions. Only items of that one second get the wrong order. */
const SEQUENCE_END = 2 ** 29;

/** Returns the value of `items.added_order`, by which `newest` and `oldest` sort. */
export const addedOrder = ({ timeAdded, addedSequence }: AddedAt): string =>
  String(BigInt(timeAdded) * PLACES_IN_SECOND + BigInt(addedSequence));

/** Numbers the additions to one list. */
export class Additions {
  private made = 0;

  constructor(private readonly before = 0) {}

  /** The number of additions that this batch makes. */
  get count(): number {
    return this.made;
  }

  /** Counts an addition that is newer than all earlier additions of the same second. */
  at(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: this.next() };
  }

  /**
   * Counts an addition that is older than all earlier additions of the same second: for files that list the newest
   * items first.
   */
  olderAt(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: -this.next() };
  }

  private next(): number {
    this.made += 1;
    return (this.before + this.made) % SEQUENCE_END;
  }
}
