import { Injectable } from '@nestjs/common';

import type { PasswordHolder } from '../../auth/consumers/application-passwords.service.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import { ListReader } from '../../reading-list/get/list-reader.js';
import { type PagePosition, type SortKey, sortKeyOf } from '../../reading-list/query/item-order.js';
import type { ItemsFound, PageOfItems } from '../../reading-list/query/items-wanted.js';
import {
  type ItemPosition,
  positionIn,
  positionText,
} from '../../reading-list/query/position-text.js';
import { orderOf, PAGE_SIZE, type Shelf } from './shelves.js';

/** The position after which one page of a list of books begins. */
interface ShelfPlace {
  readonly after: string | undefined;
  readonly position: ItemPosition | undefined;
}

/** One page of books, and the position after which the next page begins. */
interface PageOfShelf {
  readonly rows: readonly ItemRow[];
  readonly next: string | undefined;
}

/**
 * Parses the parameter `after`, the position after which a page of books begins. Returns undefined if the parameter is
 * invalid.
 */
export function placeIn(shelf: Shelf, after: string | undefined): ShelfPlace | undefined {
  const position = after === undefined ? undefined : positionIn(after, keyOf(shelf));
  return after !== undefined && position === undefined ? undefined : { after, position };
}

/**
 * Reads lists of books page by page. Each page begins after the last book of the previous page, not at an offset. Books
 * that are added or removed between two requests therefore do not move other books to another page.
 */
@Injectable()
export class ShelfReader {
  constructor(private readonly list: ListReader) {}

  /**
   * Reads one page of books.
   *
   * @throws ServiceBusyError if too many requests of the user are queued
   */
  async read(holder: PasswordHolder, shelf: Shelf, { position }: ShelfPlace): Promise<PageOfShelf> {
    const { filter, isOnePage = false } = shelf;
    if (filter === undefined) {
      return { rows: [], next: undefined };
    }
    const find = (page: PageOfItems): Promise<ItemsFound> =>
      this.list.page(holder.userId, { ...orderOf(filter, shelf), page }, holder.list);
    const { rows, size, end } = await find(pageFrom(position, PAGE_SIZE));
    const isLast = isOnePage || end === undefined || size < PAGE_SIZE;
    // Checks that the next page has books, because e-readers show a page without books as an empty catalogue.
    const hasMore = !isLast && (await find(pageFrom(end, 1))).size > 0;
    return { rows, next: hasMore ? positionText(end, keyOf(shelf)) : undefined };
  }
}

const keyOf = ({ filter = {}, ...shelf }: Shelf): SortKey =>
  sortKeyOf({ ...orderOf(filter, shelf), page: { count: 0, offset: 0 } });

const pageFrom = (after: PagePosition | undefined, count: number): PageOfItems =>
  after === undefined ? { count, offset: 0 } : { count, offset: 0, after };
