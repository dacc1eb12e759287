import { percentDecoded, plain } from '../plain-text.js';
import { wordCount } from '../text/word-count.js';

/** Metadata of a document that is not an HTML page. Unknown values are missing. */
export interface DocumentFacts {
  readonly title?: string;
  readonly excerpt?: string;
  readonly author?: string;
  /** The authors of a document that names several. */
  readonly authors?: readonly string[];
  /** The day of publication, as YYYY-MM-DD. */
  readonly published?: string;
  /** True if the document is a text for people, which is neither code nor data. */
  readonly isArticle?: boolean;
  readonly language?: string;
  /** The number of words in the whole document. Undefined if it is unknown. */
  readonly wordCount?: number;
  /** The width of a picture in pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** The metadata and the text that a worker thread has extracted from a document. */
export interface DescribedDocument {
  readonly facts: DocumentFacts;
  /** The name of the charset with which the document was decoded, in upper case. Empty if the document is not text. */
  readonly encoding: string;
  /** The text of the document as HTML that is safe to show. Undefined for documents without text. */
  readonly article?: string;
  /** Only for a PDF: the number of the page at which the next part begins. Undefined after the last page. */
  readonly nextPage?: number;
}

export const MAX_TITLE = 300;
export const MAX_EXCERPT = 300;

/**
 * The maximum number of characters in which words are counted. The word count of a longer text is
 * extrapolated.
 */
const COUNTED_CHARACTERS = 1_000_000;

/**
 * Returns the number of words of a text. The number is an estimate for a long text, of which only
 * the beginning is counted.
 */
export function documentWords(text: string): number {
  const counted = Math.min(text.length, COUNTED_CHARACTERS);
  const words = wordCount(text.slice(0, counted));
  return counted === 0 ? 0 : Math.round((words * text.length) / counted);
}

/** Returns the file name in a URL, which is the title of a document without a title. */
export function fileTitle(url: string): string | undefined {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return plain(percentDecoded(name), MAX_TITLE);
}
