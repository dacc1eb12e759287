import type { SentPage } from './list/page-requests.js';

/** A page to fetch, and the item of the page. */
export interface PageToResolve {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
  /** The page from the client, or undefined if the page must be fetched. */
  readonly sent: SentPage | undefined;
}

/**
 * Fetches the page of a saved URL and stores the result in the item. Clients then see the change in their next delta.
 */
export abstract class PageResolver {
  /**
   * Fetches the page and waits at most `budgetMs` milliseconds. Returns true if the item was written in that time, and
   * false if the item will be written later.
   */
  abstract resolve(page: PageToResolve, budgetMs: number): Promise<boolean>;
}
