import type { StoredFacts } from '../reading-list/find-page-facts.js';
import type { ItemPage } from '../reading-list/list/page-recorder.js';

/** What is kept of a page that was read: what items show, and what only add tells. */
export interface PageRecord {
  readonly item: Omit<ItemPage, 'pageId'>;
  readonly facts: StoredFacts;
}

/** What became of an attempt to read a page. */
export type ReadOutcome = ReadPage | UnchangedPage | UnreadPage;

export interface ReadPage {
  readonly kind: 'read';
  readonly record: PageRecord;
  /** HTML that is safe to show; undefined when the page has no article. */
  readonly article: string | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

/** The page is still what it was when it was read last. */
export interface UnchangedPage {
  readonly kind: 'unchanged';
}

export interface UnreadPage {
  readonly kind: 'unread';
  /** For the log and the command line; clients are told nothing. */
  readonly reason: string;
  /** Another attempt may succeed. */
  readonly isTemporary: boolean;
  /** The host that wants to be left alone, which need not be the one that was asked first, and for how long. */
  readonly pause?: HostPause | undefined;
}

export interface HostPause {
  readonly host: string;
  readonly seconds: number;
}
