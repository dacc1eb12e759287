import { type Address, nextItemId } from './address.js';
import type { TagName } from './tag-name.js';

/** More URLs of one list with one hash do not happen by chance. */
const MAX_COLLISIONS = 4;

/** Which item of a list is meant. */
export type ItemReference = { readonly itemId: string } | { readonly address: Address };

/** An item to save, or to bring back to the top. */
export interface NewItem {
  readonly item: ItemReference;
  readonly title: string | undefined;
  /** The title wins over the one that the page has (docs/decisions/0016). */
  readonly prefersGivenTitle: boolean;
  readonly tags: readonly TagName[];
  /** The client sends the page itself: nobody needs to fetch it. */
  readonly bringsPage?: boolean;
}

/** The ids under which the item may be found: an address may have had to step aside for another. */
export function candidateIds(item: ItemReference): readonly string[] {
  if ('itemId' in item) {
    return [item.itemId];
  }
  const ids = [item.address.itemId];
  while (ids.length < MAX_COLLISIONS) {
    ids.push(nextItemId(ids.at(-1) ?? ''));
  }
  return ids;
}
