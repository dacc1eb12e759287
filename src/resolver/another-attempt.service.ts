import { Injectable } from '@nestjs/common';

import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { pageKeyOf, type RequestedItem, requestPages } from '../reading-list/list/page-requests.js';
import { PageRepository } from './page.repository.js';
import { PageRequestRepository } from './page-request.repository.js';

/** What a user can do about a page that could not be read. */
@Injectable()
export class AnotherAttempt {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly pages: PageRepository,
    private readonly requests: PageRequestRepository,
  ) {}

  /** Why the page behind the URL was not read; undefined when there was no attempt, or it went well. */
  async failureOf(givenUrl: string): Promise<string | undefined> {
    const key = pageKeyOf(givenUrl);
    return key && this.pages.failureOf(key);
  }

  /** Asks for the page once more, within the quota of the user; what its host has asked for holds. */
  async request(userId: string, item: RequestedItem): Promise<void> {
    const key = pageKeyOf(item.givenUrl);
    if (key === undefined) {
      return;
    }
    const { resolverPagesPerHour: perHour } = this.config;
    await this.database.transaction(async (manager) => {
      await manager.withRepository(this.pages).allowAgain(key);
      const waiting = manager.withRepository(this.requests);
      await waiting.update({ userId, itemId: item.itemId }, { retryAt: null });
      await requestPages(manager, userId, [item], { perHour });
    });
  }
}
