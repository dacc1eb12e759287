import type { SentPage } from './list/page-requests.js';

/** The page to read, and the item it belongs to. */
export interface PageToResolve {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
  /** What the client has sent of it; nothing is fetched then. */
  readonly sent: SentPage | undefined;
}

/** Finds out what is behind a saved URL and writes it to the item, whose change then reaches every client. */
export abstract class PageResolver {
  /** Waits no longer than the budget, and tells whether the item was written in that time; if not, it is later. */
  abstract resolve(page: PageToResolve, budgetMs: number): Promise<boolean>;
}
