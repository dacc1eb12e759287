import { isNoteTooLong, joinNotes } from '../../lib/util/item-note.js';
import type { ListUnitOfWork } from '../list/list-unit-of-work.js';
import { MAX_ANNOTATIONS } from '../list/tracked-annotations.js';
import type { TrackedItem } from '../list/tracked-items.js';
import { MAX_TAGS } from '../list/tracked-tags.js';
import { annotationBytes, detailsBytes, itemBytes } from '../storage/stored-size.js';
import type { ImportedItem } from './imported-item.js';

export interface RefusedRow {
  readonly became: 'refused';
  readonly reason: string;
}

/**
 * Counts the bytes that an imported row adds to the list. If these bytes exceed the storage limit, returns a refusal of
 * the whole row.
 */
export function refusedForSize(
  list: ListUnitOfWork,
  there: TrackedItem | undefined,
  row: ImportedItem,
): RefusedRow | undefined {
  const bytes =
    stateBytes(list, there, row) + markedBytes(list, there, row) + detailBytes(list, there, row);
  const refusal = list.room.refusalOf(bytes);
  if (refusal?.ok === false) {
    return { became: 'refused', reason: refusal.refusal.message };
  }
  list.room.count(bytes);
  if (there !== undefined && bytes > 0) {
    // A row does not replace values that the user has changed, so the import may store fewer bytes than were counted.
    list.room.countRemoved();
  }
  return undefined;
}

/**
 * Returns the size that the title, the note and the tags of a row add to the list. For a new item, includes the size of
 * the item.
 */
function stateBytes(
  list: ListUnitOfWork,
  there: TrackedItem | undefined,
  { address, title = '', note, tags }: ImportedItem,
): number {
  if (there === undefined) {
    const tagIds = tags.slice(0, MAX_TAGS).map(({ id }) => id);
    return itemBytes({ givenUrl: address.givenUrl, givenTitle: title, note, tagIds });
  }
  const { state } = there;
  const known = list.itemTags.of(there).map(({ id }) => id);
  const joined = joinNotes(state.note, note);
  const after = {
    ...state,
    givenTitle: longerOf(title, state.givenTitle),
    note: isNoteTooLong(joined) ? state.note : joined,
    tagIds: [...new Set([...known, ...tags.map(({ id }) => id)])].slice(0, MAX_TAGS),
  };
  return itemBytes(after) - itemBytes(state);
}

/**
 * Returns the text with more bytes in UTF-8. The number of characters is not compared, because a character has one to
 * four bytes.
 */
const longerOf = (one: string, other: string): string =>
  Buffer.byteLength(one) > Buffer.byteLength(other) ? one : other;

/** Returns the size of the annotations that the import adds to the item, up to the maximum number of annotations. */
function markedBytes(
  list: ListUnitOfWork,
  there: TrackedItem | undefined,
  { address, annotations }: ImportedItem,
): number {
  const { itemId } = there ?? address;
  const added = new Map<string, number>();
  for (const annotation of annotations) {
    const annotationId = annotation.annotationIdOn(itemId);
    if (list.annotations.itemOf(annotationId) === undefined && !added.has(annotationId)) {
      added.set(annotationId, annotationBytes({ ...annotation, annotationId }));
    }
  }
  const room = Math.max(MAX_ANNOTATIONS - list.annotations.countOf(itemId), 0);
  return [...added.values()].slice(0, room).reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Returns how many bytes the data about a page add to the list. Returns 0 if the data of the row are shorter than the
 * stored data, because shorter data of an older row do not replace the stored data.
 */
function detailBytes(
  list: ListUnitOfWork,
  there: TrackedItem | undefined,
  { address, details = {} }: ImportedItem,
): number {
  const { itemId } = there ?? address;
  const after = list.details.after({ itemId, givenUrl: address.givenUrl }, details);
  return after === undefined
    ? 0
    : Math.max(detailsBytes(after) - detailsBytes(list.details.of(itemId)), 0);
}
