import { noteAnnotationId } from '../../lib/util/item-note.js';
import type { RowOf } from '../../platform/database/entity-columns.js';
import { formatDate } from '../../pocket-api/v3-responses.js';
import type { Annotation } from '../entities/annotation.entity.js';
import type { ItemRow } from '../entities/item.entity.js';
import type { Passage } from '../texts/passage.js';

/** The version of the annotation format that Pocket used. */
const ANNOTATION_VERSION = '2';

/** The fields of an annotation in API responses. */
export type ShownAnnotation = Omit<
  Annotation,
  'userId' | 'item' | 'number' | 'ranges' | 'updatedAt' | 'color'
>;
export type AnnotationResponse = RowOf<Omit<ShownAnnotation, 'note'>> & {
  /** The note on the highlight. An empty note is undefined, because clients of Pocket do not know this field. */
  readonly note: string | undefined;
};

/** A matching part of an article as plain text, and the start and end of each match. Offsets are in UTF-16 units. */
export interface PassageResponse {
  readonly text: string;
  readonly matches: readonly (readonly [from: number, to: number])[];
}

export function presentPassage(pieces: Passage): PassageResponse {
  const matches: [from: number, to: number][] = [];
  let text = '';
  for (const piece of pieces) {
    if (piece.isMatch) {
      matches.push([text.length, text.length + piece.text.length]);
    }
    text += piece.text;
  }
  return { text, matches };
}

/** Returns the note of an item, or undefined if the note is empty. */
export const noteOf = ({ note }: ItemRow): string | undefined => (note === '' ? undefined : note);

/** Returns the note as an annotation without a quote, for clients that only know annotations (docs/decisions/0093). */
export function annotationOfNote(row: ItemRow): ShownAnnotation | undefined {
  const note = noteOf(row);
  return note === undefined
    ? undefined
    : {
        annotationId: noteAnnotationId(row.item_id),
        itemId: row.item_id,
        quote: '',
        patch: '',
        version: ANNOTATION_VERSION,
        createdAt: row.time_added,
        note,
      };
}

export const presentAnnotation = (annotation: ShownAnnotation): AnnotationResponse => ({
  annotation_id: annotation.annotationId,
  item_id: annotation.itemId,
  quote: annotation.quote,
  patch: annotation.patch,
  version: annotation.version,
  created_at: formatDate(new Date(Number(annotation.createdAt) * 1000)),
  note: annotation.note || undefined,
});
