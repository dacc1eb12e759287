import type { StoredFacts } from '../../reading-list/add/page-facts.js';
import type { ItemPage } from '../../reading-list/pages/record-pages.js';

/** A page that this instance has leased. Until the lease ends, no other instance may fetch the page. */
export interface PageClaim {
  readonly pageId: string;
  readonly lease: string;
  /** The user whose request caused the fetch. The parser queue serves users in turn. */
  readonly userId: string;
  readonly priority: number;
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

/** The properties of a page that are needed to fetch and parse it. */
export type PageToRead = Pick<
  PageClaim,
  'userId' | 'url' | 'resolvedUrl' | 'etag' | 'lastModified'
>;

/**
 * Fetches and parses the page at a URL. A page or network error is returned as an outcome, not
 * thrown.
 */
export abstract class PageReader {
  abstract read(page: PageToRead, signal: AbortSignal): Promise<AttemptOutcome>;

  /** Parses the HTML that a client of the user has sent for a page. Does not fetch the page. */
  abstract readHtml(url: string, html: string, userId: string): Promise<ParsedPage>;
}

/**
 * The data that Satchel stores for a page. Items show the part `item`. Only responses of `/v3/add`
 * contain the part `facts`.
 */
export interface PageRecord {
  readonly item: Omit<ItemPage, 'resolvedId'>;
  readonly facts: StoredFacts;
}

/**
 * The outcome of an attempt to fetch and parse a page. `unchanged` means that the page has not changed since the last
 * fetch.
 */
export type AttemptOutcome = ParsedPage | { readonly kind: 'unchanged' } | FailedAttempt;

/** A page that was parsed, after a fetch or from the HTML that a client has sent. */
export interface ParsedPage {
  readonly kind: 'parsed';
  readonly record: PageRecord;
  /** The article as sanitized HTML. Undefined if the page has no article. */
  readonly article: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** The further pages of an article on several pages that were requested. Undefined if the article has one page. */
  readonly further?: FurtherRequests | undefined;
}

/** The requests for the further pages of an article. */
export interface FurtherRequests {
  readonly count: number;
  /** The pause that the host has requested instead of returning a page. */
  readonly pause: RequestedPause | undefined;
  /** True if the article contains a further page, or a link to one. */
  readonly isShown: boolean;
}

/** An attempt to fetch and parse a page that has failed. */
export interface FailedAttempt {
  readonly kind: 'failed';
  /**
   * The reason why the attempt failed, for the log and the command line. The API does not return
   * it.
   */
  readonly reason: string;
  /** The HTTP status of the response. Undefined if there was no response. */
  readonly status?: number | undefined;
  /** True if a later attempt to fetch the page may succeed. */
  readonly isTemporary: boolean;
  /**
   * The pause that a host has requested. After a redirect, this host may differ from the host of
   * the saved URL.
   */
  readonly pause?: RequestedPause | undefined;
}

export interface RequestedPause {
  readonly host: string;
  readonly seconds: number;
}
