import { clean } from './clean-text.js';

/** The maximum size of the note of an item, in bytes of UTF-8. */
export const MAX_NOTE_BYTES = 10 * 1024;

/** Returns a note in the form in which it is stored: trimmed, and without characters that PostgreSQL rejects. */
export const cleanNote = (text: string): string => clean(text).trim();

export const isNoteTooLong = (note: string): boolean => Buffer.byteLength(note) > MAX_NOTE_BYTES;

/** Returns the longest beginning of a note that is within the size limit. Never splits a character. */
export function cutNote(note: string): string {
  if (!isNoteTooLong(note)) {
    return note;
  }
  const { read } = new TextEncoder().encodeInto(note, new Uint8Array(MAX_NOTE_BYTES));
  return note.slice(0, read).trimEnd();
}

/** Joins two notes about one page. If one note contains the other note, returns only the longer note. */
export function joinNotes(first: string, second: string): string {
  if (first.includes(second)) {
    return first;
  }
  return second.includes(first) ? second : `${first}\n\n${second}`;
}

const NOTE_ANNOTATION = 'satchel-note-';
const NOTE_ANNOTATION_ID = new RegExp(String.raw`^${NOTE_ANNOTATION}\d{1,19}$`);

/**
 * Returns the annotation id of an item's note. The id is for clients that only know annotations (docs/decisions/0093).
 */
export const noteAnnotationId = (itemId: string): string => `${NOTE_ANNOTATION}${itemId}`;

export const isNoteAnnotationId = (annotationId: string): boolean =>
  NOTE_ANNOTATION_ID.test(annotationId);

/** Returns the item id for the annotation id of a note. Returns undefined for the id of any other annotation. */
export const itemOfNoteAnnotation = (annotationId: string): string | undefined =>
  isNoteAnnotationId(annotationId) ? annotationId.slice(NOTE_ANNOTATION.length) : undefined;
