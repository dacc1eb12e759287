import type { StoredFacts } from '../../reading-list/add/page-facts.js';
import type { ItemPage } from '../../reading-list/list/record-pages.js';

/** A page that this instance has claimed. Only this instance may fetch the page until the lease ends. */
export interface PageClaim {
  readonly pageId: string;
  readonly lease: string;
  /** The user who requested the page first. The parsers count the page as work for this user. */
  readonly userId: string;
  readonly url: string;
  readonly host: string;
  /** The number of attempts to fetch the page, including the current one. */
  readonly attempts: number;
  /** The URL from which the page was last fetched, after redirects. `etag` and `lastModified` belong to this URL. */
  readonly resolvedUrl: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** True if another worker has already fetched the page. In that case, the page is not fetched again. */
  readonly isFresh: boolean;
}

/** The properties of a page that are needed to fetch and parse it. */
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

/** The stored data of a page: the data that items show, and the facts that only `/v3/add` returns. */
export interface PageRecord {
  readonly item: Omit<ItemPage, 'pageId'>;
  readonly facts: StoredFacts;
}

/** The outcome of an attempt to fetch a page. `unchanged`: the document has not changed since the last fetch. */
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
  /** The reason of the failure. It is for the log and the command line, not for clients. */
  readonly reason: string;
  /** The HTTP status of the response. Undefined if there was no response. */
  readonly status?: number | undefined;
  /** True if another attempt to fetch the page may succeed. */
  readonly isTemporary: boolean;
  /** The pause that a host has requested. After a redirect, this host may differ from the host of the saved URL. */
  readonly pause?: RequestedPause | undefined;
}

export interface RequestedPause {
  readonly host: string;
  readonly seconds: number;
}
