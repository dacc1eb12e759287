import type { SentPage } from './page-requests.js';

/** A page to fetch, and the item to which it belongs. */
export interface PageToResolve {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
  /** The page content that a client has sent. Undefined if the page must be fetched. */
  readonly sent: SentPage | undefined;
}

/**
 * Fetches the page of a saved URL and stores the result in the item. Clients get the changed item when they next
 * request changes. `articles/resolver/resolver.module.ts` provides one of two implementations:
 * - WaitingPageResolver (articles/resolver/waiting-page-resolver.ts) fetches the page in this process.
 * - BackgroundPages (app/cluster/background-pages.ts) asks the background worker to fetch the page. Web workers use it.
 */
export abstract class PageResolver {
  /**
   * Fetches the page, and waits at most `budgetMs` milliseconds for the result. Returns true if the item no longer waits
   * for its page, for example because the page was written to the item, or because an earlier attempt has given the page
   * up. Returns false if the time is over, or if the attempt failed. After a temporary failure, the page stays queued.
   */
  abstract resolve(page: PageToResolve, budgetMs: number): Promise<boolean>;
}
