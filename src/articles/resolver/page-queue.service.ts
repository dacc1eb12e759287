import { Injectable } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import { type ItemKey, PageRepository } from './page.repository.js';
import type { PageClaim } from './page-reader.js';
import { PageRequestRepository } from './page-request.repository.js';

/**
 * Why the page of an item cannot be claimed. `gone`: the item no longer waits for it; `ready`: it was read; `busy`: it, or
 * as many others of its host as are read at once, are being read; `later`: its host has paused, or an attempt failed.
 */
export type WaitingState = 'gone' | 'ready' | 'busy' | 'later';

/** The requested pages, in the order of docs/decisions/0046; any number of instances take from it. */
@Injectable()
export class PageQueue {
  constructor(
    private readonly database: Database,
    private readonly pages: PageRepository,
    private readonly requests: PageRequestRepository,
  ) {}

  /** The first page of the queue; undefined when no page may be read now. */
  claim(): Promise<PageClaim | undefined> {
    return this.database.transaction((manager) => manager.withRepository(this.pages).claimNext());
  }

  /** The page of one item, whatever its place. It is looked at before, so that few wait for the lock of all claims. */
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
      manager.withRepository(this.pages).claimRequested(item),
    );
    return claim ?? 'busy';
  }

  /** Keeps a claim while its page is still being read. */
  renew(lease: string): Promise<void> {
    return this.pages.renewLease(lease);
  }

  /** Gives back a claim that is not completed. */
  release(lease: string): Promise<void> {
    return this.pages.releaseLease(lease);
  }
}
