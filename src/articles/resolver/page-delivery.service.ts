import { Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../platform/common/common.errors.js';
import { databaseErrorCode, isTemporary } from '../../platform/database/database.errors.js';
import { Database } from '../../platform/database/database.js';
import { Backoff } from '../../platform/jobs/backoff.js';
import { ListRepository } from '../../reading-list/list/list.repository.js';
import {
  type ItemPage,
  recordGivenUp,
  recordPages,
} from '../../reading-list/pages/record-pages.js';
import { PageRepository } from './page.repository.js';
import type { PageRecord } from './page-reader.js';
import { PageRequestRepository, type ReadyPage } from './page-request.repository.js';

type Taking = (requests: PageRequestRepository) => Promise<ReadyPage[]>;

/**
 * Writes fetched pages to the items that wait for them. Clients receive the changed items with
 * their next call that contains the parameter `since`.
 */
@Injectable()
export class PageDelivery {
  private readonly logger = new Logger(PageDelivery.name);
  private readonly backoff = new Backoff();

  constructor(
    private readonly database: Database,
    private readonly requests: PageRequestRepository,
  ) {}

  /**
   * Writes fetched pages to the waiting items of all users, and returns the number of these users. Skips users whose
   * lists are locked. An error for one user does not affect other users, and postpones the next attempt for this user.
   */
  async deliverAll(): Promise<number> {
    let users = 0;
    for (let last: string | undefined = '0'; last !== undefined;) {
      const ready: string[] = await this.requests.usersWithReadyPages(last);
      for (const userId of ready) {
        await this.attempt(userId);
      }
      users += ready.length;
      last = ready.at(-1);
    }
    return users;
  }

  private async attempt(userId: string): Promise<void> {
    if (this.backoff.isPostponed(userId)) {
      return;
    }
    try {
      await this.deliverIfFree(userId);
      this.backoff.forget(userId);
    } catch (error) {
      this.backoff.postpone(userId);
      this.logger.warn(error);
    }
  }

  /**
   * Writes fetched pages to a user's items. Does nothing if another process has locked the list. A
   * lock that begins after this check only delays the write.
   */
  private async deliverIfFree(userId: string): Promise<void> {
    if (!(await ListRepository.in(this.database.manager).isLocked(userId))) {
      await this.deliverTo(userId);
    }
  }

  /**
   * Writes fetched pages to one user's items, up to the maximum for one transaction. The page of the item `itemId`
   * comes first if it is ready.
   */
  async deliverTo(userId: string, itemId?: string): Promise<void> {
    try {
      await this.write(userId, (requests) => requests.takeFirstReady(userId, itemId));
    } catch (error) {
      if (mayPass(error)) {
        throw error;
      }
      await this.deliverApart(userId, await this.requests.firstReadyItems(userId, itemId));
    }
  }

  /**
   * Writes each half of a failed batch of pages in a separate transaction, and splits failed halves again. One page
   * that cannot be written therefore does not block other pages.
   */
  private async deliverApart(userId: string, itemIds: readonly string[]): Promise<void> {
    const middle = Math.ceil(itemIds.length / 2);
    for (const half of [itemIds.slice(0, middle), itemIds.slice(middle)]) {
      try {
        await this.write(userId, (requests) => requests.takeReady(userId, half));
      } catch (error) {
        if (mayPass(error)) {
          throw error;
        }
        await (half.length > 1
          ? this.deliverApart(userId, half)
          : this.giveUp(userId, half, error));
      }
    }
  }

  private async giveUp(userId: string, [itemId]: readonly string[], error: unknown): Promise<void> {
    if (itemId === undefined) {
      return;
    }
    const item = { userId, itemId };
    const pageId = await this.database.transaction(async (manager) => {
      await ListRepository.in(manager).lock(userId);
      const pages = PageRepository.in(manager);
      // If the database rejects a value of the page, discards the page. Otherwise, keeps the page
      // for other users and deletes only the request.
      const dropped = await (databaseErrorCode(error) === 'invalid_value'
        ? pages.discardFor(item)
        : pages.dropRequest(item));
      await recordGivenUp(manager, userId, [itemId]);
      return dropped;
    });
    const message = `page ${pageId ?? 'that is gone'} cannot be written to its item`;
    this.logger.error(new Error(message, { cause: error }));
  }

  /**
   * Writes pages to their items. Locks the user's list first and then the page requests. All
   * transactions use this order, which prevents deadlocks.
   */
  private async write(userId: string, take: Taking): Promise<void> {
    await this.database.transaction(async (manager) => {
      await ListRepository.in(manager).lock(userId);
      const taken = await take(PageRequestRepository.in(manager));
      const pages = taken.flatMap(({ itemId, pageId, content }): [string, ItemPage][] =>
        content === null ? [] : [[itemId, { ...deliveredPage(content), resolvedId: pageId }]],
      );
      await recordPages(manager, userId, new Map(pages));
      const givenUp = taken.filter(({ content }) => content === null);
      await recordGivenUp(
        manager,
        userId,
        givenUp.map(({ itemId }) => itemId),
      );
    });
  }
}

const PDF = 'application/pdf';

/**
 * Returns the data of a page for its items. Pages that were stored by earlier versions of Satchel lack the flag for PDF
 * documents, so the flag is derived from the type of the page.
 */
const deliveredPage = ({ item, facts }: PageRecord): PageRecord['item'] => ({
  ...item,
  isPdf: item.isPdf || facts.mimeType === PDF,
});

/**
 * Returns true if the page is not the cause of the error, because the database is busy or
 * unreachable or the user was deleted.
 */
const mayPass = (error: unknown): boolean => error instanceof DomainError || isTemporary(error);
