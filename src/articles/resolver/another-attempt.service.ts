import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import {
  pageKeyOf,
  type RequestedItem,
  requestPages,
} from '../../reading-list/list/page-requests.js';
import { PageRepository } from './page.repository.js';

/** Fetches pages again if a user asks for another attempt. */
@Injectable()
export class AnotherAttempt {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly pages: PageRepository,
  ) {}

  /**
   * Returns the reason why the page at the URL could not be fetched. Returns undefined if the page was never tried, or
   * if the last attempt succeeded.
   */
  async failureOf(givenUrl: string): Promise<string | undefined> {
    const key = pageKeyOf(givenUrl);
    return key && this.pages.failureOf(key);
  }

  /**
   * Queues a page without an article for another fetch, within the user's hourly quota and the pause that the page's
   * host has requested. Returns false if the last attempt was a moment ago.
   */
  request(userId: string, item: RequestedItem): Promise<boolean> {
    return this.ask(userId, item, { evenRead: false });
  }

  /**
   * Queues a page for another fetch, even if the page has an article. Skips a page that a client has sent, because the
   * public web may show less of it.
   */
  async requestAnew(userId: string, item: RequestedItem): Promise<boolean> {
    const isSent = await this.pages.existsBy({ ownerId: userId, itemId: item.itemId });
    return !isSent && this.ask(userId, item, { evenRead: true });
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
      const isAllowed = await manager
        .withRepository(this.pages)
        .allowAgain(key, { userId, itemId: item.itemId }, terms);
      if (isAllowed) {
        // Leaves a request unchanged if it is already queued, or if the quota has postponed it.
        await requestPages(manager, userId, [item], { perHour });
      }
      return isAllowed;
    });
  }
}
