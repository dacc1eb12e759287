import { Injectable } from '@nestjs/common';

import { decompressedText } from '../lib/util/compressed-text.js';
import { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.js';
import type { ItemRow } from '../reading-list/entities/item.entity.js';
import { NOT_FETCHED } from '../reading-list/entities/page-columns.js';
import type { Address } from '../reading-list/list/address.js';
import { ItemRepository } from '../reading-list/list/item.repository.js';
import { PageResolver } from '../reading-list/pages/page-resolver.js';
import { ItemNotFoundError } from '../reading-list/reading-list.errors.js';
import { NoArticleError, PageNotReadError } from './articles.errors.js';
import { PageRequest } from './resolver/entities/page-request.entity.js';
import { PageRepository } from './resolver/page.repository.js';
import type { PageRecord } from './resolver/page-reader.js';

/** The article of an item, with the stored data of the item's page. */
export interface Article {
  readonly item: ItemRow;
  /**
   * The data of the page that contains the article. They may be newer than the copy of the page's
   * data in `item`, because the page may have been fetched again.
   */
  readonly page: PageRecord;
  readonly pageId: string;
  readonly html: string;
  readonly readAt: Date;
  readonly firstReadAt: Date;
}

/** An item of a user, with its stored page and article. */
export interface OpenedItem {
  readonly item: ItemRow;
  /** True if the page of the item is queued and has not been fetched yet. */
  readonly isWaiting: boolean;
  /** The stored page of the item. Undefined if the page has not been fetched. */
  readonly page: OpenedPage | undefined;
}

interface OpenedPage extends Omit<Article, 'item' | 'html'> {
  /** The HTML of the article, or undefined if the page has no article. */
  readonly html: string | undefined;
}

@Injectable()
export class ArticlesService {
  constructor(
    private readonly database: Database,
    private readonly pages: PageRepository,
    private readonly resolver: PageResolver,
    private readonly config: Config,
  ) {}

  /**
   * Returns the article of the user's item with the URL. If the page is still queued, waits a moment until it is
   * fetched.
   * @throws ItemNotFoundError if no item has this URL
   * @throws NoArticleError if the page has no article
   * @throws PageNotReadError if the page has not been fetched in this time
   */
  async read(userId: string, address: Address): Promise<Article> {
    const { item, page, isWaiting } = await this.opened(userId, () => this.find(userId, address));
    if (page?.html === undefined) {
      throw page === undefined && isWaiting ? new PageNotReadError() : new NoArticleError();
    }
    return { ...page, item, html: page.html };
  }

  /**
   * Returns an item of the user with its stored page and article. If the page is still queued, waits a moment until it
   * is fetched.
   * @throws ItemNotFoundError
   */
  open(userId: string, itemId: string): Promise<OpenedItem> {
    return this.opened(userId, async () => {
      const items = ItemRepository.in(this.database.manager);
      const item = (await items.rowsById(userId, [itemId])).get(itemId);
      if (item === undefined) {
        throw new ItemNotFoundError();
      }
      return item;
    });
  }

  /**
   * Returns an item with its stored page and article. If the page has not been fetched, returns the item immediately
   * without a page.
   */
  async stored(userId: string, item: ItemRow): Promise<OpenedItem> {
    if (item.resolved_id !== NOT_FETCHED) {
      return { item, isWaiting: false, page: await this.pageOf(item) };
    }
    const waiting = { userId, itemId: item.item_id };
    const isWaiting = await this.database.manager.existsBy(PageRequest, waiting);
    return { item, isWaiting, page: undefined };
  }

  private async opened(userId: string, find: () => Promise<ItemRow>): Promise<OpenedItem> {
    const item = await find();
    const stored = await this.stored(userId, item);
    if (item.resolved_id !== NOT_FETCHED) {
      return stored;
    }
    const { isWaiting } = stored;
    const { item_id: itemId, given_url: url } = item;
    if (isWaiting) {
      await this.resolver.resolve(
        { userId, itemId, url, sent: undefined },
        this.config.resolveWaitMs,
      );
    }
    // Loads the item again, because a worker may have fetched its page during the wait.
    const now = await find();
    const page = now.resolved_id === NOT_FETCHED ? undefined : await this.pageOf(now);
    return { item: now, isWaiting, page };
  }

  private async pageOf({ resolved_id: pageId }: ItemRow): Promise<OpenedPage | undefined> {
    const page = await this.pages.findArticle(pageId);
    return (
      page && {
        page: page.content,
        pageId,
        html: page.article === null ? undefined : await decompressedText(page.article),
        readAt: page.fetchedAt,
        firstReadAt: page.firstFetchedAt,
      }
    );
  }

  /**
   * Returns the item that was saved with the URL. If there is none, returns an item whose page was
   * redirected to the URL, because some devices send the URL after redirects.
   */
  private async find(userId: string, address: Address): Promise<ItemRow> {
    const items = ItemRepository.in(this.database.manager);
    const item =
      (await items.rowAt(userId, address)) ?? (await items.rowResolvedTo(userId, address.givenUrl));
    if (item === undefined) {
      throw new ItemNotFoundError();
    }
    return item;
  }
}
