import { Any, IsNull, MoreThan, Not } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { Item } from '../../reading-list/entities/item.entity.js';
import { NOT_FETCHED } from '../../reading-list/entities/page-columns.js';
import { Page } from './entities/page.entity.js';
import { PageRequest } from './entities/page-request.entity.js';
import type { ItemKey } from './page.repository.js';
import type { PageRecord } from './page-reader.js';
import { FIRST_READY, REQUEST_STATE, TAKE_FIRST_READY, TAKE_READY } from './resolution.sql.js';

interface RequestState {
  /** True if the page was fetched or given up, so that the result can be written to the item. */
  readonly isReady: boolean;
  /** True if the page may be fetched now. */
  readonly isOpen: boolean;
  /**
   * True if the page cannot be fetched now, because another worker is fetching it, or because too
   * many pages of its host are being fetched.
   */
  readonly isBusy: boolean;
}

/** The outcome of a page request: a fetched page for an item, or a page that was given up. */
export interface ReadyPage {
  readonly itemId: string;
  readonly pageId: string;
  /** The data of the page. Null if no attempt to fetch it has succeeded, or if its data was deleted later. */
  readonly content: PageRecord | null;
}

interface ItemToRequest extends ItemKey {
  readonly givenUrl: string;
}

/** A batch of items of one user, whose pages can be requested. */
export interface ItemsToRequest {
  readonly items: readonly ItemToRequest[];
  /**
   * The id of the last item in this batch, including items that were skipped. Undefined if the user has no more items.
   */
  readonly last: string | undefined;
}

const USERS_AT_ONCE = 100;
const ITEMS_AT_ONCE = 1000;

export class PageRequestRepository extends CustomRepository<PageRequest> {
  static readonly entity = PageRequest;

  /** Returns the state of an item's page request, or undefined if the item has no page request. */
  async stateOf({ userId, itemId }: ItemKey): Promise<RequestState | undefined> {
    const [state] = await queryRows<RequestState>(this.manager, REQUEST_STATE, [userId, itemId]);
    return state;
  }

  /** Returns a batch of users who have ready pages, ordered by user id. */
  async usersWithReadyPages(afterUserId: string): Promise<string[]> {
    const rows = await this.createQueryBuilder('request')
      .select('request.user_id', 'userId')
      .distinct()
      .where('request.page_id IS NOT NULL AND request.user_id > :afterUserId', { afterUserId })
      .orderBy('request.user_id')
      .limit(USERS_AT_ONCE)
      .getRawMany<{ userId: string }>();
    return rows.map(({ userId }) => userId);
  }

  /**
   * Returns the ids of the items in the next batch of ready pages. Does not delete the page
   * requests.
   */
  async firstReadyItems(userId: string, itemId: string | undefined): Promise<string[]> {
    const values = [userId, itemId ?? null];
    const rows = await queryRows<{ item_id: string }>(this.manager, FIRST_READY, values);
    return rows.map((row) => row.item_id);
  }

  /**
   * Deletes a batch of a user's requests for ready pages, and returns the pages. The batch includes
   * the request of the item `itemId`, if this page is ready.
   */
  takeFirstReady(userId: string, itemId: string | undefined): Promise<ReadyPage[]> {
    return queryRows(this.manager, TAKE_FIRST_READY, [userId, itemId ?? null]);
  }

  takeReady(userId: string, itemIds: readonly string[]): Promise<ReadyPage[]> {
    return queryRows(this.manager, TAKE_READY, [userId, itemIds]);
  }

  /** Returns those of a user's items whose pages are queued to be fetched. */
  async waitingAmong(userId: string, itemIds: readonly string[]): Promise<ReadonlySet<string>> {
    const requests = await this.find({
      where: { userId, itemId: Any([...itemIds]), pageId: IsNull() },
      select: { userId: true, itemId: true },
    });
    return new Set(requests.map(({ itemId }) => itemId));
  }

  countWaiting(): Promise<number> {
    return this.countBy({ pageId: IsNull() });
  }

  /** Ends the pauses of all failed requests, so that their pages can be fetched immediately. */
  async forgetRetries(): Promise<void> {
    await this.update({ retryAt: Not(IsNull()) }, { retryAt: null });
  }

  /**
   * Returns the next items of a user whose ids are greater than `itemId`. Skips items whose page
   * was sent by a client.
   */
  async itemsAfter({ userId, itemId }: ItemKey, onlyUnfetched: boolean): Promise<ItemsToRequest> {
    const items: ItemToRequest[] = await this.manager.find(Item, {
      select: { userId: true, itemId: true, givenUrl: true },
      where: {
        userId,
        itemId: MoreThan(itemId),
        ...(onlyUnfetched && { resolvedId: NOT_FETCHED }),
      },
      order: { itemId: 'ASC' },
      take: ITEMS_AT_ONCE,
    });
    const own = await this.manager.find(Page, {
      select: { pageId: true, itemId: true },
      where: { ownerId: userId, itemId: Any(items.map((item) => item.itemId)) },
    });
    const withOwn = new Set(own.map((page) => page.itemId));
    return { items: items.filter((item) => !withOwn.has(item.itemId)), last: items.at(-1)?.itemId };
  }
}
