import { Injectable } from '@nestjs/common';

import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import {
  pageKeyOf,
  type RequestedItem,
  requestPages,
} from '../../reading-list/list/page-requests.js';
import { PageRepository } from './page.repository.js';

/** What a user can do about a page that could not be read. */
@Injectable()
export class AnotherAttempt {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly pages: PageRepository,
  ) {}

  /** Why the page behind the URL was not read; undefined when there was no attempt, or it went well. */
  async failureOf(givenUrl: string): Promise<string | undefined> {
    const key = pageKeyOf(givenUrl);
    return key && this.pages.failureOf(key);
  }

  /**
   * Asks for a page without an article once more, within the quota of the user; what its host has asked for holds. False
   * when it was tried a moment ago.
   */
  request(userId: string, item: RequestedItem): Promise<boolean> {
    return this.ask(userId, item, { evenRead: false });
  }

  /** The same for any page but one that a client has sent, of which the web may show less. */
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
        // What waits already, also for a later hour of the quota, goes on to wait.
        await requestPages(manager, userId, [item], { perHour });
      }
      return isAllowed;
    });
  }
}
