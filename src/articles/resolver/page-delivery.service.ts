import { Injectable, Logger } from '@nestjs/common';

import { DomainError } from '../../platform/common/common.errors.js';
import { databaseErrorCode } from '../../platform/database/database.errors.js';
import { Database } from '../../platform/database/database.js';
import { List } from '../../reading-list/entities/list.entity.js';
import { ListRepository } from '../../reading-list/list/list.repository.js';
import { type ItemPage, recordPages, tellOfUnread } from '../../reading-list/list/record-pages.js';
import { PageRepository } from './page.repository.js';
import { PageRequestRepository, type ReadyPage } from './page-request.repository.js';

type Taking = (requests: PageRequestRepository) => Promise<ReadyPage[]>;

/**
 * Writes fetched pages to the items that wait for them. Clients see the changed items through the parameter `since`.
 */
@Injectable()
export class PageDelivery {
  private readonly logger = new Logger(PageDelivery.name);

  constructor(
    private readonly database: Database,
    private readonly pages: PageRepository,
    private readonly requests: PageRequestRepository,
  ) {}

  /**
   * Delivers ready pages to all users once, and returns the number of users. Skips users whose lists are locked. An
   * error for one user delays no other user.
   */
  async deliverAll(): Promise<number> {
    let users = 0;
    for (let last: string | undefined = '0'; last !== undefined;) {
      const ready: string[] = await this.requests.usersWithReadyPages(last);
      for (const userId of ready) {
        await this.deliverIfFree(userId).catch((error: unknown) => {
          this.logger.warn(error);
        });
      }
      users += ready.length;
      last = ready.at(-1);
    }
    return users;
  }

  /**
   * Delivers ready pages to a user, unless the user's list is locked. If the list is locked after the check, the
   * delivery waits for this lock.
   */
  private async deliverIfFree(userId: string): Promise<void> {
    if (!(await new ListRepository(List, this.database.manager).isLocked(userId))) {
      await this.deliverTo(userId);
    }
  }

  /**
   * Delivers ready pages to one user, up to the limit of one transaction. Includes the page of `itemId` if that page is
   * ready.
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
   * Delivers each half of a failed batch of pages separately, and splits failed halves again. A page that cannot be
   * written therefore does not block the other pages.
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
    const pageId = await this.database.transaction((manager) => {
      const pages = manager.withRepository(this.pages);
      // Discards the page only if the database rejects a value of the page. Other errors may come from the user's list,
      // and must not discard a page that other users share.
      return databaseErrorCode(error) === 'invalid_value'
        ? pages.discardFor(item)
        : pages.dropRequest(item);
    });
    const message = `page ${pageId ?? 'that is gone'} cannot be written to its item`;
    this.logger.error(new Error(message, { cause: error }));
  }

  /** Writes pages to their items. Locks the list before its requests, because all writers use this order. */
  private async write(userId: string, take: Taking): Promise<void> {
    await this.database.transaction(async (manager) => {
      await new ListRepository(List, manager).lock(userId);
      const taken = await take(manager.withRepository(this.requests));
      const pages = taken.flatMap(({ itemId, pageId, content }): [string, ItemPage][] =>
        content === null ? [] : [[itemId, { ...content.item, pageId }]],
      );
      await recordPages(manager, userId, new Map(pages));
      const unread = taken.filter(({ content }) => content === null);
      await tellOfUnread(
        manager,
        userId,
        unread.map(({ itemId }) => itemId),
      );
    });
  }
}

/**
 * Returns true if the error does not come from the page: the database is busy or unreachable, or the user was deleted.
 */
const mayPass = (error: unknown): boolean =>
  error instanceof DomainError ||
  /^(?:service_busy|database_unavailable)$/.test(databaseErrorCode(error) ?? '');
