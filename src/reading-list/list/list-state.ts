import { type Address, nextItemId } from './address.js';
import type { TagName } from './tag-name.js';
import type { AnnotationPlace } from './tracked-annotations.js';

/** What actions may change of an item. Times are unix seconds, 0 is never. */
export interface ItemState extends AddedAt {
  readonly status: 0 | 1;
  readonly favorite: 0 | 1;
  readonly timeRead: number;
  readonly timeFavorited: number;
  readonly givenUrl: string;
  readonly givenTitle: string;
  readonly prefersGivenTitle: boolean;
  /** What the user wrote about the page, empty if nothing. */
  readonly note: string;
  /** In the order in which they are shown. */
  readonly tagIds: readonly string[];
}

/** An item as the database has it. */
export interface StoredItem extends Omit<ItemState, 'tagIds'>, Origin {
  readonly itemId: string;
  readonly tags: readonly string[];
  /** The bits of the facet that the resolver decides: article, video, image. */
  readonly kind: number;
  readonly resolvedUrl: string;
  readonly resolvedTitle: string;
}

/** Where the state of an item comes from; times are unix seconds. */
export interface Origin {
  readonly timeUpdated: number;
  /** When the state was so that imports gave it, 0 for unknown; null once the user has changed the item here. */
  readonly importedAsOf: number | null;
}

/** A deleted item, and when it was deleted. */
export interface StoredTombstone {
  readonly itemId: string;
  readonly deletedAt: number;
}

/** A tag that some item carries: there are no others. */
export interface StoredTag {
  readonly id: string;
  readonly name: string;
  readonly itemCount: number;
}

/** The part of a list that a batch of actions touches. */
export interface LoadedState {
  /** Absent where no action is about one. */
  readonly annotations?: readonly AnnotationPlace[];
  readonly items: readonly StoredItem[];
  readonly tombstones: readonly StoredTombstone[];
  /** Those that the batch names, as far as they exist. */
  readonly tags: readonly StoredTag[];
}

/** What a batch of actions touches, by id; what does not exist may be among them. */
export interface TouchedIds {
  readonly itemIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly annotations?: TouchedAnnotations;
}

/** Annotations by their ids, and all those of items. */
export interface TouchedAnnotations {
  readonly ids: readonly string[];
  readonly itemIds: readonly string[];
}

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
  /** The client sends the page itself: it need not be fetched. */
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

/** When an item was added: the second that is shown, and what decides between items of the same second. */
export interface AddedAt {
  /** In unix seconds. */
  readonly timeAdded: number;
  readonly addedSequence: number;
}

/** The two in one, as the migration has them: half of the numbers of a second are below it (docs/decisions/0035). */
const PLACES_IN_SECOND = 2n ** 30n;

/** Beyond half a billion additions the sequence begins again: only items of that one second are misplaced. */
const SEQUENCE_END = 2 ** 29;

/** The value of `items.added_order`: what `newest` and `oldest` go by. */
export const addedOrder = ({ timeAdded, addedSequence }: AddedAt): string =>
  String(BigInt(timeAdded) * PLACES_IN_SECOND + BigInt(addedSequence));

/** Numbers the additions to one list. */
export class Additions {
  private made = 0;

  constructor(private readonly before = 0) {}

  /** How many there are more. */
  get count(): number {
    return this.made;
  }

  /** One more, newer than all before it at that second. */
  at(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: this.next() };
  }

  /** One more, older than all before it at that second: a row of a file that has the newest first. */
  olderAt(timeAdded: number): AddedAt {
    return { timeAdded, addedSequence: -this.next() };
  }

  private next(): number {
    this.made += 1;
    return (this.before + this.made) % SEQUENCE_END;
  }
}
