import type { StoredFacts } from '../../reading-list/add/page-facts.js';
import type { ItemPage } from '../../reading-list/list/record-pages.js';

/** A page that only this instance may fetch until the lease ends. */
export interface PageClaim {
  readonly pageId: string;
  readonly lease: string;
  /** The user of the first request, for whom the page is parsed. */
  readonly userId: string;
  readonly url: string;
  readonly host: string;
  /** The number of attempts, including the current one. */
  readonly attempts: number;
  /** The URL at which the document was last found. `etag` and `lastModified` belong to this URL. */
  readonly resolvedUrl: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** True if another worker has already fetched the page. In that case, it is not fetched again. */
  readonly isFresh: boolean;
}

/** The properties of a page that a reader needs. */
export type PageToRead = Pick<
  PageClaim,
  'userId' | 'url' | 'resolvedUrl' | 'etag' | 'lastModified'
>;

/**
 * Fetches and parses the page at a URL. Returns failures of the page or the network as outcomes, and throws only
 * programming errors.
 */
export abstract class PageReader {
  abstract read(page: PageToRead, signal: AbortSignal): Promise<ReadOutcome>;

  /** Parses a page that a client of the user has sent. Fetches nothing. */
  abstract readHtml(url: string, html: string, userId: string): Promise<ReadPage>;
}

/** The stored data of a page: the part that items show, and the facts that only the add call returns. */
export interface PageRecord {
  readonly item: Omit<ItemPage, 'pageId'>;
  readonly facts: StoredFacts;
}

/** The outcome of an attempt to fetch a page. `unchanged`: the document has not changed since the last time. */
export type ReadOutcome = ReadPage | { readonly kind: 'unchanged' } | UnreadPage;

export interface ReadPage {
  readonly kind: 'read';
  readonly record: PageRecord;
  /** The article as sanitized HTML. Undefined if the page has no article. */
  readonly article: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export interface UnreadPage {
  readonly kind: 'unread';
  /** The reason of the failure, for the log and the command line, not for clients. */
  readonly reason: string;
  /** The HTTP status of the response. Undefined if there was no response. */
  readonly status?: number | undefined;
  /** True if another attempt may succeed. */
  readonly isTemporary: boolean;
  /** The pause that a host has requested. After a redirect, this host may differ from the host of the original URL. */
  readonly pause?: RequestedPause | undefined;
}

export interface RequestedPause {
  readonly host: string;
  readonly seconds: number;
}
