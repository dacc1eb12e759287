import type { StoredFacts } from '../../reading-list/add/page-facts.js';
import type { ItemPage } from '../../reading-list/list/record-pages.js';

/** A page that this instance reads alone until the lease ends. */
export interface PageClaim {
  readonly pageId: string;
  readonly lease: string;
  /** The user of the first request; the page is parsed for this user. */
  readonly userId: string;
  readonly url: string;
  readonly host: string;
  /** Including this one. */
  readonly attempts: number;
  /** Where the document was found last, and its validators. */
  readonly resolvedUrl: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Another worker has read the page meanwhile: there is nothing to fetch. */
  readonly isFresh: boolean;
}

/** What a reader needs to know of a page. */
export type PageToRead = Pick<
  PageClaim,
  'userId' | 'url' | 'resolvedUrl' | 'etag' | 'lastModified'
>;

/** Reads the page at a URL. Failures of the page or the network are outcomes; only programming errors are thrown. */
export abstract class PageReader {
  abstract read(page: PageToRead, signal: AbortSignal): Promise<ReadOutcome>;

  /** Reads a page that a client of the user has sent; nothing is fetched. */
  abstract readHtml(url: string, html: string, userId: string): Promise<ReadPage>;
}

/** What is stored of a page that was read: what items show, and what only add tells. */
export interface PageRecord {
  readonly item: Omit<ItemPage, 'pageId'>;
  readonly facts: StoredFacts;
}

/** The outcome of an attempt to read a page. `unchanged`: the document is the one that was read last. */
export type ReadOutcome = ReadPage | { readonly kind: 'unchanged' } | UnreadPage;

export interface ReadPage {
  readonly kind: 'read';
  readonly record: PageRecord;
  /** HTML that is safe to show; undefined when the page has no article. */
  readonly article: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export interface UnreadPage {
  readonly kind: 'unread';
  /** For the log and the command line; clients do not see it. */
  readonly reason: string;
  /** The HTTP status of the answer; absent if there was none. */
  readonly status?: number | undefined;
  /** Another attempt may succeed. */
  readonly isTemporary: boolean;
  /** What a host has asked for, which need not be the host of the first URL. */
  readonly pause?: RequestedPause | undefined;
}

export interface RequestedPause {
  readonly host: string;
  readonly seconds: number;
}
