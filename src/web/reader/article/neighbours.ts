import { Injectable } from '@nestjs/common';

import { ListReader } from '../../../reading-list/get/list-reader.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import type { PagePosition } from '../../../reading-list/query/item-order.js';
import type { ItemOrder } from '../../../reading-list/query/item-order.js';

/**
 * Finds the unread items before and after an item of the list. The order of the list is from the newest to the oldest
 * item.
 */
@Injectable()
export class Neighbours {
  constructor(
    private readonly items: ItemRepository,
    private readonly list: ListReader,
  ) {}

  async of(
    userId: string,
    itemId: string,
  ): Promise<{ nextHref: string | undefined; previousHref: string | undefined }> {
    const item = await this.items.findOne({
      where: { userId, itemId },
      select: { itemId: true, userId: true, addedOrder: true },
    });
    if (item === null) {
      return { nextHref: undefined, previousHref: undefined };
    }
    const after: PagePosition = { kind: 'item', key: item.addedOrder, itemId };
    const [nextHref, previousHref] = await Promise.all([
      this.first(userId, 'newest', after),
      this.first(userId, 'oldest', after),
    ]);
    return { nextHref, previousHref };
  }

  private async first(
    userId: string,
    order: ItemOrder,
    after: PagePosition,
  ): Promise<string | undefined> {
    const page = { count: 1, offset: 0, after };
    const { rows } = await this.list.page(userId, { filter: { state: 'unread' }, order, page });
    const [row] = rows;
    return row && `/read/${row.item_id}`;
  }
}
