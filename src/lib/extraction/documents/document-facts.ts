import { percentDecoded, plain } from '../plain-text.js';
import { wordCount } from '../text/word-count.js';

/** What a document that is no page of HTML tells of itself; absent is what it does not tell. */
export interface DocumentFacts {
  readonly title?: string;
  readonly excerpt?: string;
  readonly author?: string;
  readonly language?: string;
  /** Of the whole document. */
  readonly wordCount?: number;
  /** In pixels, as it is shown. */
  readonly width?: number;
  readonly height?: number;
}

/** What a thread makes of a document. */
export interface DescribedDocument {
  readonly facts: DocumentFacts;
  /** By which its text was read, in upper case; "" for what is no text. */
  readonly encoding: string;
  /** Its text as HTML that is safe to show, where it is read for more than its words. */
  readonly article?: string;
  /** Of a PDF of which a part was read: the page that the next part begins with. */
  readonly nextPage?: number;
}

export const MAX_TITLE = 300;
export const MAX_EXCERPT = 300;

/** The words of a longer text are taken to be as dense as those of its start. */
const COUNTED_CHARACTERS = 1_000_000;

/** The number of words of a text of any length, in bounded time. */
export function documentWords(text: string): number {
  const counted = Math.min(text.length, COUNTED_CHARACTERS);
  const words = wordCount(text.slice(0, counted));
  return counted === 0 ? 0 : Math.round((words * text.length) / counted);
}

/** The name of the file at the end of an address: what is left to call a document that names itself nothing. */
export function fileTitle(url: string): string | undefined {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return plain(percentDecoded(name), MAX_TITLE);
}
