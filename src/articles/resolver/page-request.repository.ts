import { Any, IsNull, MoreThan, Not, Repository } from 'typeorm';

import { queryRows } from '../../platform/database/query-rows.js';
import { Item } from '../../reading-list/entities/item.entity.js';
import { Page } from './entities/page.entity.js';
import type { PageRequest } from './entities/page-request.entity.js';
import type { ItemKey } from './page.repository.js';
import type { PageRecord } from './page-reader.js';
import { FIRST_READY, REQUEST_STATE, TAKE_FIRST_READY, TAKE_READY } from './resolution.sql.js';

interface RequestState {
  /** True if the page has been fetched. */
  readonly isReady: boolean;
  /** True if the page may be fetched now. */
  readonly isOpen: boolean;
  /** True if the page is being fetched, or if its host is at its limit. */
  readonly isBusy: boolean;
}

/** A page that is ready for an item, or a page that was given up. */
export interface ReadyPage {
  readonly itemId: string;
  readonly pageId: string;
  /** The data of the page. Null if the page could not be fetched, or if its data was discarded in the meantime. */
  readonly content: PageRecord | null;
}

interface ItemToRequest extends ItemKey {
  readonly givenUrl: string;
}

/** A batch of one user's items whose pages can be requested. */
export interface ItemsToRequest {
  readonly items: readonly ItemToRequest[];
  /** The id of the last item that was checked. Undefined if no items were left. */
  readonly last: string | undefined;
}

const USERS_AT_ONCE = 100;
const ITEMS_AT_ONCE = 1000;

export class PageRequestRepository extends Repository<PageRequest> {
  /** Returns the state of an item's request, or undefined if the item does not wait for its page. */
  async stateOf({ userId, itemId }: ItemKey): Promise<RequestState | undefined> {
    const [state] = await queryRows<RequestState>(this.manager, REQUEST_STATE, [userId, itemId]);
    return state;
  }

  /** Returns the next users, ordered by id, who have items with ready pages. */
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

  /** Returns the ids of the items whose pages `takeFirstReady` would return. */
  async firstReadyItems(userId: string, itemId: string | undefined): Promise<string[]> {
    const values = [userId, itemId ?? null];
    const rows = await queryRows<{ item_id: string }>(this.manager, FIRST_READY, values);
    return rows.map((row) => row.item_id);
  }

  /**
   * Deletes the first requests of the user for ready pages, and returns the pages. The request of `itemId` comes first.
   */
  takeFirstReady(userId: string, itemId: string | undefined): Promise<ReadyPage[]> {
    return queryRows(this.manager, TAKE_FIRST_READY, [userId, itemId ?? null]);
  }

  takeReady(userId: string, itemIds: readonly string[]): Promise<ReadyPage[]> {
    return queryRows(this.manager, TAKE_READY, [userId, itemIds]);
  }

  countWaiting(): Promise<number> {
    return this.countBy({ pageId: IsNull() });
  }

  /** Allows postponed requests to be fetched immediately. */
  async forgetRetries(): Promise<void> {
    await this.update({ retryAt: Not(IsNull()) }, { retryAt: null });
  }

  /**
   * Returns the user's next items in the order of their ids, without items whose page a client has sent. `last` is the
   * id of the last item that was checked.
   */
  async itemsAfter({ userId, itemId }: ItemKey, onlyUnread: boolean): Promise<ItemsToRequest> {
    const items: ItemToRequest[] = await this.manager.find(Item, {
      select: { userId: true, itemId: true, givenUrl: true },
      where: { userId, itemId: MoreThan(itemId), ...(onlyUnread && { resolvedId: '0' }) },
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
