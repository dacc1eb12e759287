import type { Address } from './list/address.js';
import type { TagName } from './list/tag-name.js';

/** What a call of add saves. */
export interface ItemToAdd {
  readonly address: Address;
  readonly title: string | undefined;
  readonly tags: readonly TagName[];
  /** Unix seconds by the client's clock. */
  readonly time: number | undefined;
  /** The page as the client's browser saw it (docs/api/add.md). */
  readonly html: string | undefined;
}
