import type { PageClaim } from './page.claim.js';
import type { ReadOutcome, ReadPage } from './page-record.js';

/** Reads what is behind a URL. What the page or the network does is an outcome; only faults of our own are thrown. */
export abstract class PageReader {
  abstract read(
    page: Pick<PageClaim, 'userId' | 'url' | 'resolvedUrl' | 'etag' | 'lastModified'>,
    signal: AbortSignal,
  ): Promise<ReadOutcome>;

  /** Reads a page that a client of the user has sent; nothing is fetched. */
  abstract readHtml(url: string, html: string, userId: string): Promise<ReadPage>;
}
