import type { AddedAt } from './added-order.js';
import type { AnnotationPlace } from './annotation.js';

/** What actions may change of an item. Times are unix seconds, 0 is never. */
export interface ItemState extends AddedAt {
  readonly status: 0 | 1;
  readonly favorite: 0 | 1;
  readonly timeRead: number;
  readonly timeFavorited: number;
  readonly givenUrl: string;
  readonly givenTitle: string;
  readonly prefersGivenTitle: boolean;
  /** In the order in which they are shown. */
  readonly tagIds: readonly string[];
}

/** An item as the database has it. */
export interface StoredItem extends Omit<ItemState, 'tagIds'> {
  readonly itemId: string;
  readonly tags: readonly string[];
  /** The bits of the facet that the resolver decides: article, video, image. */
  readonly kind: number;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
  readonly timeUpdated: number;
  /** When the state was so that imports gave it, 0 for unknown; null once the person has changed the item here. */
  readonly importedAsOf: number | null;
}

/** A deleted item; the stamp is the time of its deletion. */
export interface StoredTombstone {
  readonly itemId: string;
  readonly stamp: number;
}

/** A tag that some item carries: there are no others. */
export interface StoredTag {
  readonly id: string;
  readonly name: string;
  readonly itemCount: number;
}

/** The part of a list that a batch of actions touches. */
export interface StoredSlice {
  /** Absent where no action is about one. */
  readonly annotations?: readonly AnnotationPlace[];
  readonly items: readonly StoredItem[];
  readonly tombstones: readonly StoredTombstone[];
  /** Those that the batch names, as far as they exist. */
  readonly tags: readonly StoredTag[];
}
