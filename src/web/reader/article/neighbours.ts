import { Injectable } from '@nestjs/common';

import { Clock } from '../../../platform/common/clock.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { ListReader } from '../../../reading-list/get/list-reader.js';
import { resolvedTitleOf } from '../../../reading-list/get/page.presenter.js';
import { ItemRepository } from '../../../reading-list/list/item.repository.js';
import type { PagePosition } from '../../../reading-list/query/item-order.js';
import type { ItemsWanted } from '../../../reading-list/query/items-wanted.js';
import { keyOf, wantedOf } from '../../../reading-list/views/view-query.js';
import { RELEVANCE } from '../../../reading-list/views/view-sorts.js';
import { articlePath, type ListOrigin } from '../list/list-origin.js';
import { PAGE_SIZE, rankedBefore } from '../list/list-query.js';

/** A link to the item before or after an item of the list. */
export interface Neighbour {
  readonly href: string;
  readonly title: string;
}

/** The link to the article that follows after listening. */
export interface NextToListen extends Neighbour {
  /** The number of unread items before it that have no text. */
  readonly skipped: number;
}

interface FoundNeighbours {
  readonly next: Neighbour | undefined;
  /** The next unread item with a text. */
  readonly nextToListen: NextToListen | undefined;
  readonly previous: Neighbour | undefined;
}

const NONE: FoundNeighbours = { next: undefined, nextToListen: undefined, previous: undefined };

const isUnread = ({ status }: ItemRow): boolean => status === 0;

/** Pages that were not fetched have no words, and neither have most pictures and videos. */
const hasText = (row: ItemRow): boolean => row.word_count > 0;

/**
 * Finds the items before and after an item, in the list from which the user has opened it. The item itself may have
 * left this list, for example because the user has archived it.
 */
@Injectable()
export class Neighbours {
  constructor(
    private readonly items: ItemRepository,
    private readonly list: ListReader,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidPageRequestError if the origin is not a page of the list */
  of(userId: string, itemId: string, origin: ListOrigin): Promise<FoundNeighbours> {
    return origin.view.sort === RELEVANCE
      ? this.inSearch(userId, itemId, origin)
      : this.inOrder(userId, itemId, origin);
  }

  private async inOrder(
    userId: string,
    itemId: string,
    origin: ListOrigin,
  ): Promise<FoundNeighbours> {
    const { view } = origin;
    const key = await this.items.sortKeyOf(userId, itemId, keyOf(view).column);
    if (key === undefined) {
      return NONE;
    }
    const after: PagePosition = { kind: 'item', key, itemId };
    const wanted = {
      ...wantedOf(view, { count: 1, offset: 0, after }, this.clock.now()),
      withTotal: false,
    };
    const [next, previous] = await Promise.all([
      this.first(userId, wanted),
      this.first(userId, { ...wanted, isReversed: true }),
    ]);
    const unread = next === undefined ? [] : await this.unreadFrom(next, userId, wanted);
    return {
      next: next && linkTo(next, origin),
      nextToListen: nextToListen(unread, (row) => linkTo(row, origin)),
      previous: previous && linkTo(previous, origin),
    };
  }

  /** Returns the unread items from `next` on, at most one page of them. One is enough if it has a text. */
  private async unreadFrom(
    next: ItemRow,
    userId: string,
    wanted: ItemsWanted,
  ): Promise<readonly ItemRow[]> {
    const { state = 'unread' } = wanted.filter;
    if (isUnread(next) && hasText(next)) {
      return [next];
    }
    if (state !== 'unread') {
      return [];
    }
    const page = { ...wanted.page, count: PAGE_SIZE };
    const filter = { ...wanted.filter, state };
    return (await this.list.page(userId, { ...wanted, page, filter })).rows;
  }

  private async first(userId: string, wanted: ItemsWanted): Promise<ItemRow | undefined> {
    const { rows } = await this.list.page(userId, wanted);
    return rows[0];
  }

  /**
   * Search results that are sorted by relevance have no positions. Finds the item among the results on its page of the
   * list, and on both sides of this page.
   */
  private async inSearch(
    userId: string,
    itemId: string,
    { view, after }: ListOrigin,
  ): Promise<FoundNeighbours> {
    const before = after === undefined ? 0 : rankedBefore(after);
    const offset = Math.max(0, before - 1);
    const page = { count: PAGE_SIZE + 2, offset };
    const wanted = { ...wantedOf(view, page, this.clock.now()), withTotal: false };
    const { rows } = await this.list.page(userId, wanted);
    const at = rows.findIndex(({ item_id: id }) => id === itemId);
    if (at < 0) {
      return NONE;
    }
    const link = (index: number): Neighbour | undefined => {
      const row = rows[index];
      return row && linkTo(row, { view, after: pageWith(offset + index) });
    };
    const unread = rows.slice(at + 1).filter(isUnread);
    return {
      next: link(at + 1),
      nextToListen: nextToListen(unread, (row) => link(rows.indexOf(row))),
      previous: link(at - 1),
    };
  }
}

/** Returns the first unread item with a text, and the number of unread items before it. */
function nextToListen(
  unread: readonly ItemRow[],
  linkOf: (row: ItemRow) => Neighbour | undefined,
): NextToListen | undefined {
  const skipped = unread.findIndex(hasText);
  const row = unread[skipped];
  const link = row && linkOf(row);
  return link && { ...link, skipped };
}

/** Returns the parameter `after` of the page of search results that contains the result with this index. */
function pageWith(index: number): string | undefined {
  const before = Math.floor(index / PAGE_SIZE) * PAGE_SIZE;
  return before === 0 ? undefined : String(before);
}

const linkTo = (row: ItemRow, origin: ListOrigin): Neighbour => ({
  href: articlePath(row.item_id, origin),
  title: resolvedTitleOf(row),
});
