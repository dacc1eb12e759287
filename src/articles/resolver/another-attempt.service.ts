import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import {
  pageKeyOf,
  type RequestedItem,
  requestPages,
} from '../../reading-list/pages/page-requests.js';
import { type ItemKey, PageRepository } from './page.repository.js';

/** Fetches a page again at the request of a user. */
@Injectable()
export class AnotherAttempt {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly pages: PageRepository,
  ) {}

  /**
   * Returns the reason why the last attempt to fetch the page at the URL failed. Returns undefined if it succeeded, or
   * if no attempt was made.
   */
  async failureOf(givenUrl: string): Promise<string | undefined> {
    const key = pageKeyOf(givenUrl);
    return key && this.pages.failureOf(key);
  }

  /**
   * Queues a page without an article, so that it is fetched again. The user's hourly quota, or a pause that the host
   * has requested, can delay the fetch. Returns false if the last attempt was only a moment ago.
   */
  request(userId: string, item: RequestedItem): Promise<boolean> {
    return this.ask(userId, item, { evenRead: false });
  }

  /**
   * Queues a page so that it is fetched again, even if it has an article. Does nothing for a page that a client has
   * sent, because the public version of the page may contain less.
   */
  async requestAnew(userId: string, item: RequestedItem): Promise<boolean> {
    const isSent = await this.isSent({ userId, itemId: item.itemId });
    return !isSent && this.ask(userId, item, { evenRead: true });
  }

  /** Returns true if a client has sent the page of an item. */
  isSent({ userId, itemId }: ItemKey): Promise<boolean> {
    return this.pages.existsBy({ ownerId: userId, itemId });
  }

  private async ask(
    userId: string,
    item: RequestedItem,
    terms: { readonly evenRead: boolean },
  ): Promise<boolean> {
    const key = pageKeyOf(item.givenUrl);
    if (key === undefined) {
      return false;
    }
    const { resolverPagesPerHour: perHour } = this.config;
    return this.database.transaction(async (manager) => {
      const isAllowed = await PageRepository.in(manager).allowAgain(
        key,
        { userId, itemId: item.itemId },
        terms,
      );
      if (isAllowed) {
        // If the item already has a page request, even one that the hourly quota has postponed,
        // this call changes nothing.
        await requestPages(manager, userId, [item], { perHour });
      }
      return isAllowed;
    });
  }
}
