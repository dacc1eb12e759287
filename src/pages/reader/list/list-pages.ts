import { Injectable } from '@nestjs/common';

import { ImageAddresses } from '../../../articles/images/image-addresses.js';
import { ListReader } from '../../../reading-list/get/get.service.js';
import type { PagePosition } from '../../../reading-list/query/item-order.js';
import type { ItemsFound } from '../../../reading-list/query/items-wanted.js';
import { type CardContext, cardOf } from './item-card.js';
import type { ListView } from './list.request.js';
import {
  emptyText,
  headingOf,
  listPath,
  narrowingsOf,
  sortLinks,
  stateLinks,
} from './list-links.js';
import { PAGE_SIZE, positionIn, positionText, wantedOf, wantedUntil } from './list-query.js';
import type { ItemCard, ListViews } from './list-views.js';

type PageOfList = Omit<ListViews['reader/list'], 'csrfToken' | 'section' | 'done'>;

interface Read {
  readonly view: ListView;
  readonly after: string | undefined;
  readonly found: ItemsFound;
  readonly hasMore: boolean;
}

/** Reads the pages of the list for the templates. */
@Injectable()
export class ListPages {
  constructor(
    private readonly lists: ListReader,
    private readonly addresses: ImageAddresses,
  ) {}

  /** Throws ValidationFailedError for a position that is none. */
  async read(userId: string, view: ListView, after?: string): Promise<PageOfList> {
    const position = after === undefined ? undefined : positionIn(view, after);
    const found = await this.lists.page(userId, wantedOf(view, pageBehind(position, PAGE_SIZE)));
    const hasMore = found.size === PAGE_SIZE && (await this.hasBehind(userId, view, found.end));
    const context: CardContext = { userId, addresses: this.addresses, progress: new Map() };
    const items = found.rows.map((row) => cardOf(row, context));
    return pageOf({ view, after, found, hasMore }, items);
  }

  /** The address of the page that ends with a position. */
  async pathOfPageUntil(userId: string, view: ListView, until: string): Promise<string> {
    const wanted = wantedUntil(view, positionIn(view, until));
    const { end, size } = await this.lists.page(userId, wanted);
    const isFirst = size <= PAGE_SIZE || end === undefined;
    return listPath(view, isFirst ? {} : { after: positionText(view, end) });
  }

  private async hasBehind(userId: string, view: ListView, end?: PagePosition): Promise<boolean> {
    const wanted = { ...wantedOf(view, pageBehind(end, 1)), withTotal: false };
    return (await this.lists.page(userId, wanted)).size > 0;
  }
}

const pageBehind = (after: PagePosition | undefined, count: number) =>
  after === undefined ? { count, offset: 0 } : { count, offset: 0, after };

function pageOf({ view, after, found, hasMore }: Read, items: readonly ItemCard[]): PageOfList {
  const isFirst = after === undefined;
  const next = hasMore && found.end ? positionText(view, found.end) : undefined;
  return {
    heading: headingOf(view),
    total: totalText(found.total),
    path: listPath(view, { after }),
    states: stateLinks(view),
    sorts: sortLinks(view),
    narrowings: narrowingsOf(view),
    searched: view.search ?? '',
    keptFields: keptBySearch(view),
    items,
    emptyText: items.length === 0 ? emptyText(view, isFirst) : undefined,
    firstHref: isFirst ? undefined : listPath(view),
    previousHref: isFirst ? undefined : listPath(view, { until: after }),
    nextHref: next === undefined ? undefined : listPath(view, { after: next }),
  };
}

const NUMBERS = new Intl.NumberFormat('en-GB');

function totalText(total: number | undefined): string | undefined {
  if (total === undefined || total === 0) {
    return undefined;
  }
  return total === 1 ? '1 item' : `${NUMBERS.format(total)} items`;
}

/** A search looks through the whole list, or through a tag or a site. */
const keptBySearch = ({ tag, site, sort }: ListView): PageOfList['keptFields'] => [
  ...(tag === undefined ? [] : [{ name: 'tag', value: tag.text }]),
  ...(site === undefined ? [] : [{ name: 'site', value: site }]),
  ...(sort === 'newest' ? [] : [{ name: 'sort', value: sort }]),
];
