import type { PageDetails } from '../details/page-details.js';
import type { Address } from '../list/address.js';
import type { TagName } from '../list/tag-name.js';
import type { NewAnnotation } from '../list/tracked-annotations.js';

/** The values that earlier rows of a file have for the page of a later row. */
export interface EarlierRows {
  readonly saysStatus: boolean;
  readonly saysFavorite: boolean;
  /** The newest time of these rows, in unix seconds; 0 if they have none. */
  readonly asOf: number;
}

export interface ImportedAnnotation extends Omit<NewAnnotation, 'annotationId'> {
  /** Returns the id of the annotation on the item with this id. */
  readonly annotationIdOn: (itemId: string) => string;
  readonly createdAt: number;
}

/**
 * A saved page from an import file, validated. Times are unix seconds. Values that the file does not contain are
 * absent.
 */
export interface ImportedItem {
  readonly address: Address;
  readonly title: string | undefined;
  readonly prefersGivenTitle: boolean | undefined;
  readonly tags: readonly TagName[];
  readonly status: 0 | 1 | undefined;
  readonly favorite: 0 | 1 | undefined;
  /** If the file has no time, a time of the import that preserves the order of the file. */
  readonly timeAdded: number;
  readonly saysTimeAdded: boolean;
  /** True if the first of several rows of the same second is the newest; false if it is the oldest. */
  readonly isFromNewestFirst: boolean;
  /** Earlier rows of the file for the same page, whose title stays. Undefined if there are none. */
  readonly earlier: EarlierRows | undefined;
  readonly timeRead: number;
  readonly timeFavorited: number;
  /** When the item was last changed according to the file; 0 if unknown. */
  readonly asOf: number;
  /** The number of the item in the list from which it was exported. */
  readonly number: number | undefined;
  /** The note of the user about the page; empty if there is none. */
  readonly note: string;
  readonly annotations: readonly ImportedAnnotation[];
  /** Absent if the file has none. */
  readonly details?: PageDetails | undefined;
}
