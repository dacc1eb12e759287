import { decodeText } from './charset.js';
import { extractHead, extractPage } from './extract-page.js';
import { BLANK_PAGE, type PageContent } from './page-content.js';

/** A page to extract, for a thread of the extraction pool. */
export interface ExtractionTask {
  /** The bytes of the response, or a text that a client sent. */
  readonly markup: Uint8Array | string;
  /** The Content-Type that the server sent with the bytes. */
  readonly contentType: string | undefined;
  readonly url: string;
  /** The time of extraction. The caller passes it, because a worker thread never reads a clock. */
  readonly readAt: Date | undefined;
  /**
   * `page` extracts the whole page, and `head` extracts only its metadata. `none` extracts nothing: it checks that the
   * thread has started.
   */
  readonly part: 'page' | 'head' | 'none';
}

/** The result of a thread of the extraction pool. */
export interface ExtractedPage {
  readonly content: PageContent;
  /** The label of the encoding that was used for the markup, in upper case. */
  readonly encoding: string;
}

const EXTRACTORS = { page: extractPage, head: extractHead, none: () => BLANK_PAGE } as const;

export default ({ markup, contentType, url, readAt, part }: ExtractionTask): ExtractedPage => {
  const { text, encoding } =
    typeof markup === 'string'
      ? { text: markup, encoding: 'UTF-8' }
      : decodeText(markup, contentType);
  return { content: EXTRACTORS[part]({ html: text, url, readAt }), encoding };
};
