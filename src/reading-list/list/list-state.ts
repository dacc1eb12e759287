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
  /** The note of the user about the page. It is empty if there is no note. */
  readonly note: string;
  /** The ids of the tags, in the order in which the tags are shown. */
  readonly tagIds: readonly string[];
}

/** An item as it is stored in the database. */
export interface StoredItem extends Omit<ItemState, 'tagIds'>, Origin {
  readonly itemId: string;
  readonly tags: readonly string[];
  /** The facet bits that the resolver sets: article, video, image. */
  readonly kind: number;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
}

/** The origin of the state of an item: an import or a change by the user. Times are unix seconds. */
export interface Origin {
  readonly timeUpdated: number;
  /**
   * The time of the imported state, or 0 if the time is unknown. Null once the user has changed the item in Satchel.
   */
  readonly importedAsOf: number | null;
}

/** A deleted item. */
export interface BuriedItem {
  readonly itemId: string;
  /** The id of the address, if it differs from the id of the item. */
  readonly addressId?: string | null | undefined;
}

/** A deleted item and the time of the deletion. */
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
  /** The annotations that the batch touches. Absent if no action concerns annotations. */
  readonly annotations?: readonly AnnotationPlace[];
  /** The details that the batch touches. Absent if no action concerns details. */
  readonly details?: readonly StoredDetails[];
  readonly items: readonly StoredItem[];
  readonly tombstones: readonly StoredTombstone[];
  /** The tags that the batch names and that exist. */
  readonly tags: readonly StoredTag[];
}

/** The ids that a batch of actions touches. Some of them may not exist. */
export interface TouchedIds {
  readonly itemIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly annotations?: TouchedAnnotations;
  /** The ids of items whose page details may change. */
  readonly detailedItemIds?: readonly string[];
}

/** The annotations to load: annotations with these ids, and all annotations of these items. */
export interface TouchedAnnotations {
  readonly ids: readonly string[];
  readonly itemIds: readonly string[];
}

/** The maximum number of URLs in one list with the same hash. More such URLs do not occur by chance. */
const MAX_COLLISIONS = 4;

/** A reference to an item of a list. */
export type ItemReference = { readonly itemId: string } | { readonly address: Address };

/** An item to save or to move back to the top of the list. */
export interface NewItem {
  readonly item: ItemReference;
  readonly title: string | undefined;
  /** True if this title wins over the title of the page (docs/decisions/0016). */
  readonly prefersGivenTitle: boolean;
  readonly tags: readonly TagName[];
  /** True if the client sends the page itself, so that the page need not be fetched. */
  readonly bringsPage?: boolean;
}

/** Returns the texts of the item that the caller sets. */
export const textsOf = ({ item, title, prefersGivenTitle }: NewItem): Partial<ItemState> => ({
  ...('address' in item && { givenUrl: item.address.givenUrl }),
  ...(title !== undefined && { givenTitle: title, prefersGivenTitle }),
});

/** Returns the ids under which the item may be stored. */
export const candidateIds = (item: ItemReference): readonly string[] =>
  'itemId' in item ? [item.itemId] : [...idsOfNewItem(item.address), ...item.address.formerItemIds];

/**
 * Returns the ids that a new item at the address may get, in order of preference. Some of these ids may belong to other
 * addresses.
 */
export function idsOfNewItem({ itemId }: Address): readonly string[] {
  const ids = [itemId];
  while (ids.length < MAX_COLLISIONS) {
    ids.push(nextItemId(ids.at(-1) ?? ''));
  }
  return ids;
}

/** The time of an addition, and a sequence number that orders items of the same second. */
export interface AddedAt {
  /** The time of the addition in unix seconds. */
  readonly timeAdded: number;
  readonly addedSequence: number;
}

/**
 * The factor for combining the time and the sequence number in one number, as in the migration. Half of the values of
 * each second are for negative sequence numbers (docs/decisions/0035).
 */
const PLACES_IN_SECOND = 2n ** 30n;

/**
 * The limit at which the sequence starts again, after half a billion additions. Only items of that single second are
 * sorted incorrectly.
 */
const SEQUENCE_END = 2 ** 29;

/** Returns the value of `items.added_order`, by which `newest` and `oldest` sort. */
export const addedOrder = ({ timeAdded, addedSequence }: AddedAt): string =>
  String(BigInt(timeAdded) * PLACES_IN_SECOND + BigInt(addedSequence));

/** Assigns sequence numbers to the additions to one list. */
export class Additions {
  private made = 0;

  constructor(private readonly before = 0) {}

  /** The number of additions in this batch. */
  get count(): number {
    return this.made;
  }

  /** Adds an item that is newer than all earlier additions of the same second. */
  at(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: this.next() };
  }

  /**
   * Adds an item that is older than all earlier additions of the same second. Files that list the newest items first
   * need this order.
   */
  olderAt(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: -this.next() };
  }

  private next(): number {
    this.made += 1;
    return (this.before + this.made) % SEQUENCE_END;
  }
}
