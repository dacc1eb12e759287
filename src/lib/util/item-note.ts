import { clean } from './clean-text.js';

/** The maximum size of an item's note in bytes of UTF-8. */
export const MAX_NOTE_BYTES = 10 * 1024;

/** Returns a note in the form in which it is stored: trimmed, and without characters that PostgreSQL rejects. */
export const cleanNote = (text: string): string => clean(text).trim();

export const isNoteTooLong = (note: string): boolean => Buffer.byteLength(note) > MAX_NOTE_BYTES;

/** Shortens a note to the maximum size in bytes. Never splits a character. */
export function cutNote(note: string): string {
  if (!isNoteTooLong(note)) {
    return note;
  }
  const { read } = new TextEncoder().encodeInto(note, new Uint8Array(MAX_NOTE_BYTES));
  return note.slice(0, read).trimEnd();
}

/** Joins two notes about the same page. If one of them contains the other one, returns only the longer note. */
export function joinNotes(first: string, second: string): string {
  if (first.includes(second)) {
    return first;
  }
  return second.includes(first) ? second : `${first}\n\n${second}`;
}

const NOTE_ANNOTATION = 'satchel-note-';
const NOTE_ANNOTATION_ID = new RegExp(String.raw`^${NOTE_ANNOTATION}\d{1,19}$`);

/**
 * Returns the id of the annotation that represents an item's note. Clients that only know annotations see the note as
 * this annotation (docs/decisions/0093).
 */
export const noteAnnotationId = (itemId: string): string => `${NOTE_ANNOTATION}${itemId}`;

export const isNoteAnnotationId = (annotationId: string): boolean =>
  NOTE_ANNOTATION_ID.test(annotationId);

/**
 * Returns the item id if the annotation represents the note of an item. Otherwise, returns
 * undefined.
 */
export const itemOfNoteAnnotation = (annotationId: string): string | undefined =>
  isNoteAnnotationId(annotationId) ? annotationId.slice(NOTE_ANNOTATION.length) : undefined;
