import { decodeText } from './charset.js';
import { extractHead, extractPage } from './extract-page.js';
import type { PageContent } from './page-content.js';

/** What a thread of the pool is asked to do. */
export interface ExtractionTask {
  /** As it came over the wire, or as text that a client sent. */
  readonly markup: Uint8Array | string;
  /** The Content-Type that came with bytes. */
  readonly contentType: string | undefined;
  readonly url: string;
  /** All of the page, or only what its head says. */
  readonly part: 'page' | 'head';
}

/** What a thread answers. */
export interface ExtractedPage {
  readonly content: PageContent;
  /** By which the markup was read, in upper case. */
  readonly encoding: string;
}

const EXTRACTORS = { page: extractPage, head: extractHead } as const;

export default ({ markup, contentType, url, part }: ExtractionTask): ExtractedPage => {
  const { text, encoding } =
    typeof markup === 'string'
      ? { text: markup, encoding: 'UTF-8' }
      : decodeText(markup, contentType);
  return { content: EXTRACTORS[part]({ html: text, url }), encoding };
};
