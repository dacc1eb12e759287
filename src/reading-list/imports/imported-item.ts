import type { PageDetails } from '../details/page-details.js';
import type { Address } from '../list/address.js';
import type { TagName } from '../list/tag-name.js';
import type { NewAnnotation } from '../list/tracked-annotations.js';

/**
 * Properties of the earlier rows of an imported file that contain the same page as a later row of
 * the file.
 */
export interface EarlierRows {
  readonly saysStatus: boolean;
  readonly saysFavorite: boolean;
  /** The newest time of a change in the earlier rows, in Unix seconds. 0 if these rows contain no time. */
  readonly asOf: number;
}

export interface ImportedAnnotation extends Omit<NewAnnotation, 'annotationId'> {
  /** Returns the id that this annotation gets on the given item. */
  readonly annotationIdOn: (itemId: string) => string;
  readonly createdAt: number;
}

/**
 * A saved page from an imported file, after validation. Times are Unix seconds. A property is undefined if the file
 * does not contain it.
 */
export interface ImportedItem {
  readonly address: Address;
  readonly title: string | undefined;
  readonly prefersGivenTitle: boolean | undefined;
  readonly tags: readonly TagName[];
  readonly status: 0 | 1 | undefined;
  readonly favorite: 0 | 1 | undefined;
  /**
   * The time at which the item was added. If the file contains no time of addition, this is a time during the import
   * that keeps the items in the order of the file.
   */
  readonly timeAdded: number;
  readonly saysTimeAdded: boolean;
  /**
   * True if the file lists items that were added in the same second from newest to oldest. False if it lists them from
   * oldest to newest.
   */
  readonly isFromNewestFirst: boolean;
  /**
   * Properties of the earlier rows of the file for the same page. Undefined if there are no earlier rows. A later row
   * does not replace the title of an earlier row.
   */
  readonly earlier: EarlierRows | undefined;
  readonly timeRead: number;
  readonly timeFavorited: number;
  /** The time of the item's last change, according to the file. 0 if the time is unknown. */
  readonly asOf: number;
  /** The 31-bit id of the item in the list from which it was exported. */
  readonly number: number | undefined;
  /** The note of the user about the page. Empty if there is no note. */
  readonly note: string;
  readonly annotations: readonly ImportedAnnotation[];
  /** The data about the page that the file contains. Undefined if the file contains no such data. */
  readonly details?: PageDetails | undefined;
}
