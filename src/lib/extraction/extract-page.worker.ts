import { decodeText } from './charset.js';
import { extractHead, extractPage } from './extract-page.js';
import { BLANK_PAGE, type PageContent, type PageSource } from './page-content.js';

/** The task of a thread in the extraction pool: a page to extract. */
export interface ExtractionTask {
  /** The bytes of the HTTP response, or the text of a page that a client sent. */
  readonly markup: Uint8Array | string;
  /** The Content-Type that the server sent with the bytes. */
  readonly contentType: string | undefined;
  readonly url: string;
  /** The current time. The caller passes it, so that tests can set the time. */
  readonly readAt: Date | undefined;
  readonly before: PageSource['before'];
  /**
   * `page` extracts the whole page, `head` extracts only its metadata, and `none` extracts nothing.
   * The pool uses `none` to check that a thread has started.
   */
  readonly part: 'page' | 'head' | 'none';
}

/** The data of a page, as a thread of the extraction pool returns it. */
export interface ExtractedPage {
  readonly content: PageContent;
  /** The name of the charset with which the page was decoded, in upper case. */
  readonly encoding: string;
}

const EXTRACTORS = { page: extractPage, head: extractHead, none: () => BLANK_PAGE } as const;

export default ({ markup, contentType, part, ...source }: ExtractionTask): ExtractedPage => {
  const { text, encoding } =
    typeof markup === 'string'
      ? { text: markup, encoding: 'UTF-8' }
      : decodeText(markup, contentType);
  return { content: EXTRACTORS[part]({ ...source, html: text }), encoding };
};
