import type { SentPage } from './list/page-requests.js';

/** The page to fetch, and the item that it belongs to. */
export interface PageToResolve {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
  /** The page as the client sent it; undefined if it must be fetched. */
  readonly sent: SentPage | undefined;
}

/** Fetches the page behind a saved URL and stores the result in the item. The change then reaches every client. */
export abstract class PageResolver {
  /** Waits at most `budgetMs`. Returns true if the item was written in that time, and false if it is written later. */
  abstract resolve(page: PageToResolve, budgetMs: number): Promise<boolean>;
}
