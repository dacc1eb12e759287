import { randomInt } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { FailedPages } from '../../../articles/failed-pages.service.js';
import { ImageAddresses } from '../../../articles/images/image-addresses.js';
import { Clock } from '../../../platform/common/clock.js';
import { Config } from '../../../platform/config/config.js';
import { message } from '../../../platform/i18n/message.js';
import type { ItemRow } from '../../../reading-list/entities/item.entity.js';
import { ListReader } from '../../../reading-list/get/list-reader.js';
import { ReadingPositionRepository } from '../../../reading-list/list/reading-position.repository.js';
import type { PagePosition } from '../../../reading-list/query/item-order.js';
import type { ItemsWanted, PageOfItems } from '../../../reading-list/query/items-wanted.js';
import { SavedLists } from '../../../reading-list/saved-lists/saved-lists.service.js';
import { DueTextRepository } from '../../../reading-list/texts/due-text.repository.js';
import { Passages, type PassagesByItem } from '../../../reading-list/texts/passages.service.js';
import { isOfTexts, type ListView } from '../../../reading-list/views/list-view.js';
import { wantedOf } from '../../../reading-list/views/view-query.js';
import { RELEVANCE } from '../../../reading-list/views/view-sorts.js';
import { failureText } from '../article/article-model.js';
import { cardOf, type Failure } from './item-card.js';
import {
  isOfFailed,
  pageOf,
  type PageOfList,
  type ReadPage,
  type SearchOutcome,
} from './list.view.js';
import { byTitles, listPath } from './list-links.js';
import { PAGE_SIZE, positionIn, positionText, rankedBefore, wantedUntil } from './list-query.js';

const PERCENT = 100;

/** Loads the pages of the list for the templates. */
@Injectable()
export class ListPages {
  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly lists: ListReader,
    private readonly addresses: ImageAddresses,
    private readonly positions: ReadingPositionRepository,
    private readonly passages: Passages,
    private readonly dueTexts: DueTextRepository,
    private readonly failedPages: FailedPages,
    private readonly savedLists: SavedLists,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @throws ValidationFailedError if `after` is not a valid position */
  async read(userId: string, view: ListView, after?: string): Promise<PageOfList> {
    const page = await this.pageBehind(userId, view, after);
    if (!isOfTexts(view)) {
      return this.shown(userId, page, undefined);
    }
    if (page.rows.length === 0 && after === undefined) {
      return this.shown(userId, await this.pageBehind(userId, byTitles(view)), 'fell back');
    }
    const isIncomplete = await this.dueTexts.hasOf(userId);
    return this.shown(userId, page, isIncomplete ? 'incomplete' : undefined);
  }

  /** Returns the address of the page of the list whose last item is at the position `until`. */
  async pathOfPageUntil(userId: string, view: ListView, until: string): Promise<string> {
    if (view.sort === RELEVANCE) {
      const before = rankedBefore(until) - PAGE_SIZE;
      return listPath(view, before > 0 ? { after: String(before) } : {});
    }
    const wanted = wantedUntil(view, positionIn(view, until), this.clock.now());
    const { end, size } = await this.lists.page(userId, wanted);
    const isFirst = size <= PAGE_SIZE || end === undefined;
    return listPath(view, isFirst ? {} : { after: positionText(view, end) });
  }

  /**
   * Returns the id of a random unread article of a view. If the view is filtered by the kind of items, returns an item
   * of this kind. Returns undefined if there is none.
   */
  async randomUnread(userId: string, view: ListView): Promise<string | undefined> {
    const { filter } = this.wanted(view, { count: 0, offset: 0 });
    const kind = view.choices.kind === undefined ? ({ contentType: 'article' } as const) : {};
    const wanted = {
      filter: { ...filter, ...kind, state: 'unread' },
      order: 'newest',
      withTotal: true,
    } as const;
    const first = await this.lists.page(userId, { ...wanted, page: { count: 1, offset: 0 } });
    const offset = randomInt(Math.max(1, first.total ?? 1));
    const { rows } = await this.lists.page(userId, {
      ...wanted,
      withTotal: false,
      page: { count: 1, offset },
    });
    // If items were archived in the meantime, there may be no item at the offset.
    return (rows[0] ?? first.rows[0])?.item_id;
  }

  private async pageBehind(userId: string, view: ListView, after?: string): Promise<ReadPage> {
    if (view.sort === RELEVANCE) {
      return this.rankedPage(userId, view, after);
    }
    const position = after === undefined ? undefined : positionIn(view, after);
    const found = await this.lists.page(userId, this.wanted(view, pageFrom(position, PAGE_SIZE)));
    const { rows, total, size, end } = found;
    const hasMore = size === PAGE_SIZE && (await this.hasBehind(userId, view, end));
    return { view, after, rows, total, next: hasMore && end ? positionText(view, end) : undefined };
  }

  private async rankedPage(userId: string, view: ListView, after?: string): Promise<ReadPage> {
    const offset = after === undefined ? 0 : rankedBefore(after);
    const wanted = this.wanted(view, { count: PAGE_SIZE + 1, offset });
    const { rows } = await this.lists.page(userId, wanted);
    const next = rows.length > PAGE_SIZE ? String(offset + PAGE_SIZE) : undefined;
    return { view, after, rows: rows.slice(0, PAGE_SIZE), total: undefined, next };
  }

  private async hasBehind(userId: string, view: ListView, end?: PagePosition): Promise<boolean> {
    const wanted = { ...this.wanted(view, pageFrom(end, 1)), withTotal: false };
    return (await this.lists.page(userId, wanted)).size > 0;
  }

  private wanted(view: ListView, page: PageOfItems): ItemsWanted {
    return wantedOf(view, page, this.clock.now());
  }

  private async shown(userId: string, page: ReadPage, outcome: SearchOutcome): Promise<PageOfList> {
    const { view, after, rows } = page;
    const [progress, passages, failures, languages, lists] = await Promise.all([
      this.progressOf(userId, rows),
      this.passagesOf(userId, view, rows),
      this.failuresOf(userId, view, rows),
      this.lists.languages(userId),
      this.savedLists.all(userId),
    ]);
    const origin = { view, after };
    const context = { userId, addresses: this.addresses, progress, passages, failures, origin };
    const items = rows.map((row) => cardOf(row, context));
    const { checksLinks } = this.config;
    return pageOf(page, items, { outcome, languages, lists, checksLinks });
  }

  /** Returns the reading progress of items in percent, keyed by item id. Omits items with a progress of 0 percent. */
  private async progressOf(
    userId: string,
    rows: readonly ItemRow[],
  ): Promise<ReadonlyMap<string, number>> {
    const ids = rows.map(({ item_id: itemId }) => itemId);
    const percents = [...(await this.positions.fractionsOf(userId, ids))].map(
      ([itemId, fraction]) => [itemId, Math.round(fraction * PERCENT)] as const,
    );
    return new Map(percents.filter(([, percent]) => percent > 0));
  }

  private async failuresOf(
    userId: string,
    view: ListView,
    rows: readonly ItemRow[],
  ): Promise<ReadonlyMap<string, Failure>> {
    if (!isOfFailed(view)) {
      return new Map();
    }
    const items = rows.map(({ item_id: itemId, given_url: givenUrl }) => ({ itemId, givenUrl }));
    const pages = await this.failedPages.of(userId, items);
    return new Map(
      [...pages].map(([itemId, { failure = '', isWaiting }]) => [
        itemId,
        { text: message(isWaiting ? 'list.failed.waiting' : failureText(failure)), isWaiting },
      ]),
    );
  }

  private async passagesOf(
    userId: string,
    view: ListView,
    rows: readonly ItemRow[],
  ): Promise<PassagesByItem> {
    const { search } = view;
    return search !== undefined && isOfTexts(view)
      ? this.passages.of(userId, search, rows)
      : new Map();
  }
}

const pageFrom = (after: PagePosition | undefined, count: number) =>
  after === undefined ? { count, offset: 0 } : { count, offset: 0, after };
