import { Injectable } from '@nestjs/common';

import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { pageKeyOf, type RequestedItem, requestPages } from '../reading-list/list/page-requests.js';
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
   * Asks for the page once more, within the quota of the user; what its host has asked for holds. False when it was tried
   * a moment ago.
   */
  async request(userId: string, item: RequestedItem): Promise<boolean> {
    const key = pageKeyOf(item.givenUrl);
    if (key === undefined) {
      return false;
    }
    const { resolverPagesPerHour: perHour } = this.config;
    return this.database.transaction(async (manager) => {
      const isAllowed = await manager
        .withRepository(this.pages)
        .allowAgain(key, { userId, itemId: item.itemId });
      if (isAllowed) {
        // What waits already, also for a later hour of the quota, goes on to wait.
        await requestPages(manager, userId, [item], { perHour });
      }
      return isAllowed;
    });
  }
}
