import { itemOfNoteAnnotation } from '../../lib/util/item-note.js';
import { TrackedDetails } from '../details/tracked-details.js';
import { StorageRoom } from '../storage/storage-room.js';
import { annotationBytes, itemBytes, TAG_BYTES } from '../storage/stored-size.js';
import {
  type ActionOutcome,
  ANNOTATION_OF_ANOTHER_ITEM,
  DONE,
  NO_ROOM,
  TOO_MANY_ANNOTATIONS,
  TOO_MANY_TAGS,
  UNKNOWN_ITEM,
} from './action-outcome.js';
import {
  type AddedAt,
  Additions,
  type ItemReference,
  type ItemState,
  type LoadedState,
  type NewItem,
  textsOf,
} from './list-state.js';
import type { NamedTag } from './tag-name.js';
import { type NewAnnotation, TrackedAnnotations } from './tracked-annotations.js';
import { TrackedItem, TrackedItems } from './tracked-items.js';
import { BulkTagChanges, ItemTags, TrackedTags } from './tracked-tags.js';

/** The time of an action in Unix seconds. Undefined means now. */
type Time = number | undefined;

interface Counted {
  readonly additions?: Additions;
  readonly numbers?: number;
  /** The storage that the list may still use. If it is undefined, no action is refused because of its size. */
  readonly room?: StorageRoom;
}

const NOTHING = { givenUrl: '', givenTitle: '', note: '', tagIds: [] };

/** The loaded part of one list, in memory. Each action sees the changes of earlier actions (docs/decisions/0017). */
export class ListUnitOfWork {
  readonly items: TrackedItems;
  readonly tags: TrackedTags;
  readonly bulkTags: BulkTagChanges;
  readonly annotations: TrackedAnnotations;
  readonly details: TrackedDetails;
  readonly itemTags: ItemTags;
  readonly additions: Additions;
  /** The highest 31-bit id that the list had assigned before this transaction. */
  readonly numbersGiven: number;
  readonly room: StorageRoom;

  constructor(
    readonly stored: LoadedState,
    readonly now: number,
    { additions = new Additions(), numbers = 0, room = StorageRoom.unlimited() }: Counted = {},
  ) {
    this.additions = additions;
    this.numbersGiven = numbers;
    this.room = room;
    this.tags = new TrackedTags(stored.tags, stored.items);
    this.annotations = new TrackedAnnotations(stored.annotations ?? []);
    this.details = new TrackedDetails(stored.details ?? []);
    this.bulkTags = new BulkTagChanges((id) => this.tags.isStored(id));
    this.items = new TrackedItems(
      stored.items.map((item) => TrackedItem.loaded(item, this.tags.idsOf(item.tags))),
      stored.tombstones,
    );
    this.itemTags = new ItemTags(this.items, this.tags, this.bulkTags);
  }

  /** Saves an item. An item that is already in the list moves to the top of the unread items. */
  add(added: NewItem, time: Time): ActionOutcome {
    const there = this.items.find(added.item);
    const tags = this.itemTags.with(there, added.tags);
    if (tags === undefined) {
      return TOO_MANY_TAGS;
    }
    const texts = textsOf(added);
    const tagIds = tags.map(({ id }) => id);
    const before = there === undefined ? 0 : itemBytes(there.state);
    const bytes = itemBytes({ ...NOTHING, ...there?.state, ...texts, tagIds }) - before;
    return this.within(bytes, () => {
      const item = there ?? this.create(added.item);
      if (!(item instanceof TrackedItem)) {
        return item;
      }
      const addedAt = this.additions.at(this.moment(time), added.addedSequence);
      const changes = { status: 0, ...addedAt, timeRead: 0, ...texts } as const;
      item.add(changes, added.bringsPage === true);
      return this.itemTags.set(item, tags);
    });
  }

  archive(reference: ItemReference, time: Time): ActionOutcome {
    const timeRead = this.moment(time);
    return this.changeIf(reference, 'status', 0, () => ({ status: 1, timeRead }));
  }

  readd(reference: ItemReference, time: Time): ActionOutcome {
    const added = (): AddedAt => this.additions.at(this.moment(time));
    return this.changeIf(reference, 'status', 1, () => ({ status: 0, timeRead: 0, ...added() }));
  }

  /** Marks an archived item as unread. Unlike `readd`, leaves the item at its position in the list. */
  undoArchive(reference: ItemReference): ActionOutcome {
    return this.changeIf(reference, 'status', 1, () => ({ status: 0, timeRead: 0 }));
  }

  favorite(reference: ItemReference, time: Time): ActionOutcome {
    const timeFavorited = this.moment(time);
    return this.changeIf(reference, 'favorite', 0, () => ({ favorite: 1, timeFavorited }));
  }

  unfavorite(reference: ItemReference): ActionOutcome {
    return this.changeIf(reference, 'favorite', 1, () => ({ favorite: 0, timeFavorited: 0 }));
  }

  /** Deletes an item. Deleting a deleted item succeeds too, so that a client can repeat a call. */
  delete(reference: ItemReference): ActionOutcome {
    const item = this.items.find(reference);
    if (item === undefined) {
      return this.items.wasDeleted(reference) ? DONE : UNKNOWN_ITEM;
    }
    this.room.countRemoved(itemBytes(item.state));
    this.itemTags.set(item, []);
    this.items.delete(item);
    this.annotations.forget(item.itemId);
    this.details.forget(item.itemId);
    return { ok: true, itemId: item.itemId };
  }

  /**
   * Succeeds without a change if the item is in the list. Otherwise, refuses the action, because
   * deleted items are not restored in this way.
   */
  undoDelete(reference: ItemReference): ActionOutcome {
    return this.on(reference, ({ itemId }) => ({ ok: true, itemId }));
  }

  /** Sets a title from the user, which is then shown instead of the title of the page. */
  retitle(reference: ItemReference, title: string): ActionOutcome {
    return this.rewrite(reference, { givenTitle: title, prefersGivenTitle: true });
  }

  /** Sets the note of an item. An empty note removes the stored note. */
  setNote(reference: ItemReference, note: string): ActionOutcome {
    return this.rewrite(reference, { note });
  }

  /** Adds `bytes`, the size of a page from a client, to the stored size of the list. The caller stores the page. */
  bringPage(reference: ItemReference, bytes: number): ActionOutcome {
    return this.on(reference, (item) =>
      this.within(bytes, () => {
        if (item.stored !== undefined) {
          this.room.countRemoved();
        }
        return { ok: true, itemId: item.itemId };
      }),
    );
  }

  addTags(reference: ItemReference, tags: readonly NamedTag[]): ActionOutcome {
    return this.on(reference, (item) => this.setTags(item, this.itemTags.with(item, tags)));
  }

  removeTags(reference: ItemReference, tags: readonly NamedTag[]): ActionOutcome {
    const ids = new Set(tags.map(({ id }) => id));
    return this.on(reference, (item) => {
      const kept = this.itemTags.of(item).filter(({ id }) => !ids.has(id));
      return this.setTags(item, kept);
    });
  }

  replaceTags(reference: ItemReference, tags: readonly NamedTag[]): ActionOutcome {
    return this.on(reference, (item) => this.setTags(item, tags));
  }

  /** Renames the tag on every item of the list. */
  renameTag(from: NamedTag, to: NamedTag): ActionOutcome {
    // An item with the old and the new tag keeps only the new tag, so the stored size may decrease.
    this.room.countRemoved();
    return this.itemTags.rename(from, to);
  }

  /** Deletes the tag from every item of the list. */
  deleteTag(tag: NamedTag): ActionOutcome {
    this.room.countRemoved();
    return this.itemTags.delete(tag);
  }

  /** Adds an annotation to an item. An annotation that is sent again replaces the stored annotation. */
  annotate(reference: ItemReference, annotation: NewAnnotation, time: Time): ActionOutcome {
    return this.on(reference, (item) => {
      const { itemId } = item;
      const owner = this.annotations.itemOf(annotation.annotationId);
      if (owner !== undefined && owner !== itemId) {
        return ANNOTATION_OF_ANOTHER_ITEM;
      }
      if (this.annotations.isOneTooMany(itemId, annotation)) {
        return TOO_MANY_ANNOTATIONS;
      }
      return this.within(annotationBytes(annotation), () => {
        if (owner !== undefined) {
          this.room.countRemoved();
        }
        const [createdAt, updatedAt] = [this.moment(time), this.now];
        this.annotations.write({ ...annotation, itemId, createdAt, updatedAt });
        item.touch();
        return { ok: true, itemId };
      });
    });
  }

  /** Deletes an annotation. Deleting a missing annotation succeeds too, so that a client can repeat a call. */
  deleteAnnotation(annotationId: string): ActionOutcome {
    const itemId = this.annotations.itemOf(annotationId);
    if (itemId === undefined) {
      return this.deleteNote(annotationId);
    }
    this.annotations.remove(annotationId);
    this.room.countRemoved();
    return this.on({ itemId }, (item) => {
      item.touch();
      return { ok: true, itemId };
    });
  }

  /** Applies the change if the referenced item is in the list. Otherwise, refuses it. */
  on(reference: ItemReference, change: (item: TrackedItem) => ActionOutcome): ActionOutcome {
    const item = this.items.find(reference);
    return item === undefined ? UNKNOWN_ITEM : change(item);
  }

  /** Applies a change that adds `bytes` bytes to the list. Refuses the change if it would exceed the storage limit. */
  within(bytes: number, change: () => ActionOutcome): ActionOutcome {
    const refusal = this.room.refusalOf(bytes);
    if (refusal !== undefined) {
      return refusal;
    }
    const outcome = change();
    if (outcome.ok) {
      this.room.count(bytes);
    }
    return outcome;
  }

  /**
   * Deletes the note of an item, for clients that show the note as an annotation
   * (docs/decisions/0093).
   */
  private deleteNote(annotationId: string): ActionOutcome {
    const itemId = itemOfNoteAnnotation(annotationId);
    const outcome = itemId === undefined ? DONE : this.setNote({ itemId }, '');
    return outcome === UNKNOWN_ITEM ? DONE : outcome;
  }

  private rewrite(reference: ItemReference, changes: Partial<ItemState>): ActionOutcome {
    return this.on(reference, (item) => {
      const bytes = itemBytes({ ...item.state, ...changes }) - itemBytes(item.state);
      return this.within(bytes, () => {
        item.change(changes);
        return { ok: true, itemId: item.itemId };
      });
    });
  }

  private setTags(item: TrackedItem, tags: readonly NamedTag[] | undefined): ActionOutcome {
    const more = tags === undefined ? 0 : tags.length - item.state.tagIds.length;
    return this.within(TAG_BYTES * more, () => this.itemTags.set(item, tags));
  }

  /** Changes a property of an item if its current value is `from`. Otherwise, the item and its times stay unchanged. */
  private changeIf<K extends 'status' | 'favorite'>(
    reference: ItemReference,
    property: K,
    from: ItemState[K],
    changes: () => Partial<ItemState>,
  ): ActionOutcome {
    return this.on(reference, (item) => {
      if (item.state[property] === from) {
        item.change(changes());
      }
      return { ok: true, itemId: item.itemId };
    });
  }

  private create(reference: ItemReference): TrackedItem | ActionOutcome {
    return 'address' in reference
      ? (this.items.create(reference.address) ?? NO_ROOM)
      : UNKNOWN_ITEM;
  }

  /** Returns the time of an action, but at most the current time, because the clock of a client may be ahead. */
  private moment(time: Time): number {
    return Math.min(time ?? this.now, this.now);
  }
}
