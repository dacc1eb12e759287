import { type Address, nextItemId } from './address.js';
import type { ItemState } from './stored-slice.js';
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

/** What it says of the texts of the item. */
export const textsOf = ({ item, title, prefersGivenTitle }: NewItem): Partial<ItemState> => ({
  ...('address' in item && { givenUrl: item.address.givenUrl }),
  ...(title !== undefined && { givenTitle: title, prefersGivenTitle }),
});

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
