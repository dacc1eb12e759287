import type { PageDetails } from '../details/page-details.js';
import type { Address } from '../list/address.js';
import type { TagName } from '../list/tag-name.js';
import type { NewAnnotation } from '../list/tracked-annotations.js';

/** Facts about the earlier rows of a file that have the same page as a later row. */
export interface EarlierRows {
  readonly saysStatus: boolean;
  readonly saysFavorite: boolean;
  /** The newest time of the earlier rows, in unix seconds. It is 0 if the earlier rows have no time. */
  readonly asOf: number;
}

export interface ImportedAnnotation extends Omit<NewAnnotation, 'annotationId'> {
  /** Returns the id that this annotation has on the given item. */
  readonly annotationIdOn: (itemId: string) => string;
  readonly createdAt: number;
}

/**
 * A saved page from an import file, after validation. Times are unix seconds. A value is absent if the file does not
 * contain it.
 */
export interface ImportedItem {
  readonly address: Address;
  readonly title: string | undefined;
  readonly prefersGivenTitle: boolean | undefined;
  readonly tags: readonly TagName[];
  readonly status: 0 | 1 | undefined;
  readonly favorite: 0 | 1 | undefined;
  /**
   * The time of addition. If the file has no time, this is a time of the import that preserves the order of the file.
   */
  readonly timeAdded: number;
  readonly saysTimeAdded: boolean;
  /** True if the file lists rows of the same second from the newest to the oldest. False for the opposite order. */
  readonly isFromNewestFirst: boolean;
  /** Earlier rows of the file for the same page. The title of these rows wins. Undefined if there are no such rows. */
  readonly earlier: EarlierRows | undefined;
  readonly timeRead: number;
  readonly timeFavorited: number;
  /** The time of the last change of the item, according to the file. It is 0 if the time is unknown. */
  readonly asOf: number;
  /** The number (31-bit id) of the item in the list from which it was exported. */
  readonly number: number | undefined;
  /** The note of the user about the page. It is empty if there is no note. */
  readonly note: string;
  readonly annotations: readonly ImportedAnnotation[];
  /** The page details in the file. Absent if the file has no details for the page. */
  readonly details?: PageDetails | undefined;
}
