import type { Address } from './address.js';
import type { NewAnnotation } from './annotation.js';
import type { TagName } from './tag-name.js';

export interface ImportedAnnotation extends NewAnnotation {
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
  readonly timeRead: number;
  readonly timeFavorited: number;
  /** When the item was last changed as far as the file tells; 0 for unknown. */
  readonly asOf: number;
  readonly annotations: readonly ImportedAnnotation[];
}
