import { Injectable } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import { type ItemKey, PageRepository } from './page.repository.js';
import type { PageClaim } from './page-reader.js';
import { PageRequestRepository } from './page-request.repository.js';

/**
 * The reason why the page of an item cannot be leased. `gone`: the item no longer waits for its
 * page. `ready`: the fetch has ended, and its result can be written to the item. The page was fetched or given up.
 * `busy`: another worker is fetching the page, or too many pages of its host are being fetched. `later`: the host has
 * requested a pause, or an attempt has failed.
 */
export type WaitingState = 'gone' | 'ready' | 'busy' | 'later';

/**
 * The queue of pages to fetch, in the order that docs/decisions/0046 describes. Any number of instances can lease pages
 * from the queue.
 */
@Injectable()
export class PageQueue {
  constructor(
    private readonly database: Database,
    private readonly pages: PageRepository,
    private readonly requests: PageRequestRepository,
  ) {}

  /** Leases the first page of the queue. Returns undefined if no page may be fetched now. */
  claim(): Promise<PageClaim | undefined> {
    return this.database.transaction((manager) => PageRepository.in(manager).claimNext());
  }

  /**
   * Leases the page of one item, regardless of its position in the queue. First checks without a
   * lock that the page can be leased, because each lease waits for one lock that all workers share.
   */
  async claimFor(item: ItemKey): Promise<PageClaim | WaitingState> {
    const state = await this.requests.stateOf(item);
    if (state === undefined) {
      return 'gone';
    }
    if (state.isReady) {
      return 'ready';
    }
    if (!state.isOpen) {
      return state.isBusy ? 'busy' : 'later';
    }
    const claim = await this.database.transaction((manager) =>
      PageRepository.in(manager).claimRequested(item),
    );
    return claim ?? 'busy';
  }

  /** Renews the lease of a page that is still being fetched or parsed. */
  renew(lease: string): Promise<void> {
    return this.pages.renewLease(lease);
  }

  /** Releases the lease of a page that this instance has not completed. */
  release(lease: string): Promise<void> {
    return this.pages.releaseLease(lease);
  }
}
