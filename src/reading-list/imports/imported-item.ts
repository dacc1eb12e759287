import type { PageDetails } from '../details/page-details.js';
import type { Address } from '../list/address.js';
import type { TagName } from '../list/tag-name.js';
import type { NewAnnotation } from '../list/tracked-annotations.js';

/** What earlier rows of a file say about the page of a later row. */
export interface EarlierRows {
  readonly saysStatus: boolean;
  readonly saysFavorite: boolean;
  /** The newest of their times, in unix seconds; 0 for none. */
  readonly asOf: number;
}

export interface ImportedAnnotation extends Omit<NewAnnotation, 'annotationId'> {
  /** Returns the id of the annotation on the item with this id. */
  readonly annotationIdOn: (itemId: string) => string;
  readonly createdAt: number;
}

/** A saved page as a file tells of it, checked. Times are unix seconds; absent is what the file does not say. */
export interface ImportedItem {
  readonly address: Address;
  readonly title: string | undefined;
  readonly prefersGivenTitle: boolean | undefined;
  readonly tags: readonly TagName[];
  readonly status: 0 | 1 | undefined;
  readonly favorite: 0 | 1 | undefined;
  /** Where the file has no time, that of the import, so that the order of the file stays. */
  readonly timeAdded: number;
  readonly saysTimeAdded: boolean;
  /** Of rows of the same second the first one is the newest; else it is the oldest. */
  readonly isFromNewestFirst: boolean;
  /** Earlier rows of the same file with this page, whose title stays. Undefined if there are none. */
  readonly earlier: EarlierRows | undefined;
  readonly timeRead: number;
  readonly timeFavorited: number;
  /** When the item was last changed as far as the file tells; 0 for unknown. */
  readonly asOf: number;
  /** As the list that it comes from has numbered it. */
  readonly number: number | undefined;
  /** What the user wrote about the page, empty if nothing. */
  readonly note: string;
  readonly annotations: readonly ImportedAnnotation[];
  /** Absent if the file has none. */
  readonly details?: PageDetails | undefined;
}
