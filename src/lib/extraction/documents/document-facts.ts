import { percentDecoded, plain } from '../plain-text.js';
import { wordCount } from '../text/word-count.js';

/** Facts about a document that is not an HTML page. Unknown facts are missing. */
export interface DocumentFacts {
  readonly title?: string;
  readonly excerpt?: string;
  readonly author?: string;
  readonly language?: string;
  /** The number of words in the whole document. */
  readonly wordCount?: number;
  /** The width of the picture as displayed, in pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** The description of a document that a worker thread returns. */
export interface DescribedDocument {
  readonly facts: DocumentFacts;
  /** The label of the charset that was used, in upper case. Empty if the document is not text. */
  readonly encoding: string;
  /** The text of a PDF as HTML that is safe to show. Undefined for other documents. */
  readonly article?: string;
  /** PDF only: the page at which the next part begins. Undefined after the last page. */
  readonly nextPage?: number;
}

export const MAX_TITLE = 300;
export const MAX_EXCERPT = 300;

/** The number of characters whose words are counted. The count for the rest of a longer text is extrapolated. */
const COUNTED_CHARACTERS = 1_000_000;

/** Counts the words of a text of any length in bounded time. */
export function documentWords(text: string): number {
  const counted = Math.min(text.length, COUNTED_CHARACTERS);
  const words = wordCount(text.slice(0, counted));
  return counted === 0 ? 0 : Math.round((words * text.length) / counted);
}

/** Returns the file name in an address. The file name is the title of a document that has no title. */
export function fileTitle(url: string): string | undefined {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return plain(percentDecoded(name), MAX_TITLE);
}
