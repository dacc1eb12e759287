import type { Attributes } from './parse-article.js';

/** The role of a link to a note, of a link back from a note, and of a note (DPUB-ARIA 1.1). */
export const NOTE_LINK = 'doc-noteref';
export const BACK_LINK = 'doc-backlink';
const NOTES: ReadonlySet<string> = new Set(['doc-footnote', 'doc-endnote']);

/**
 * Matches an id of an extracted article. The prefix keeps it apart from the ids of the page that shows the article.
 */
const LOCAL_ID = /^part-[\w.\-\u00c0-\ud7ff]{1,100}$/u;

/** Returns the id of an element if the extraction has set it. Articles of other origin have no ids. */
export const localIdOf = ({ id }: Attributes): string | undefined =>
  id !== undefined && LOCAL_ID.test(id) ? id : undefined;

export const isLocalLink = (href: string): boolean =>
  href.startsWith('#') && LOCAL_ID.test(href.slice(1));

export const isNote = ({ role }: Attributes): boolean => role !== undefined && NOTES.has(role);
