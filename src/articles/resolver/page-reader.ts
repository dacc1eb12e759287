import type { StoredFacts } from '../../reading-list/add/page-facts.js';
import type { ItemPage } from '../../reading-list/list/record-pages.js';

/** A page that this instance has leased. Until the lease ends, no other instance may fetch the page. */
export interface PageClaim {
  readonly pageId: string;
  readonly lease: string;
  /** The user who first requested the page. In the parser queue, the page counts as work for this user. */
  readonly userId: string;
  readonly url: string;
  readonly host: string;
  /** The number of consecutive attempts to fetch the page, including the current attempt. */
  readonly attempts: number;
  /** The final URL of the last fetch, after redirects. The values `etag` and `lastModified` are from this URL. */
  readonly resolvedUrl: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** True if another worker has fetched the page in the meantime, so that this worker does not need to fetch it. */
  readonly isFresh: boolean;
}

/** The properties of a page that the reader needs to fetch and parse it. */
export type PageToRead = Pick<
  PageClaim,
  'userId' | 'url' | 'resolvedUrl' | 'etag' | 'lastModified'
>;

/**
 * Fetches and parses the page at a URL. Returns errors of the page or the network as outcomes, and throws only for
 * programming errors.
 */
export abstract class PageReader {
  abstract read(page: PageToRead, signal: AbortSignal): Promise<ReadOutcome>;

  /** Parses the HTML that a client of the user has sent for a page. Does not fetch the page. */
  abstract readHtml(url: string, html: string, userId: string): Promise<ReadPage>;
}

/** The data that Satchel stores for a page: the part that items show, and the part that only `/v3/add` returns. */
export interface PageRecord {
  readonly item: Omit<ItemPage, 'resolvedId'>;
  readonly facts: StoredFacts;
}

/** The outcome of an attempt to fetch a page. `unchanged` means that the page has not changed since the last fetch. */
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
  /** The reason why the attempt failed. Only the log and the command line show it, not the API. */
  readonly reason: string;
  /** The HTTP status of the response. Undefined if there was no response. */
  readonly status?: number | undefined;
  /** True if a later attempt to fetch the page may succeed. */
  readonly isTemporary: boolean;
  /**
   * The pause between requests that a host has asked for. After a redirect, this host may differ from the host of the
   * saved URL.
   */
  readonly pause?: RequestedPause | undefined;
}

export interface RequestedPause {
  readonly host: string;
  readonly seconds: number;
}
