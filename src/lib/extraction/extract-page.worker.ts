import { decodeText } from './charset.js';
import { extractHead, extractPage } from './extract-page.js';
import { BLANK_PAGE, type PageContent } from './page-content.js';

/** What a thread of the pool is asked to do. */
export interface ExtractionTask {
  /** As it came over the wire, or as text that a client sent. */
  readonly markup: Uint8Array | string;
  /** The Content-Type that came with bytes. */
  readonly contentType: string | undefined;
  readonly url: string;
  /** A thread asks no clock. */
  readonly readAt: Date | undefined;
  /** All of the page, or only what its head says; none tells that the thread has started. */
  readonly part: 'page' | 'head' | 'none';
}

/** What a thread answers. */
export interface ExtractedPage {
  readonly content: PageContent;
  /** By which the markup was read, in upper case. */
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
