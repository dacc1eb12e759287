import { Injectable } from '@nestjs/common';

import { decompressedText } from '../common/compressed-text.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Address } from '../reading-list/list/address.js';
import type { ItemRow } from '../reading-list/list/item-row.js';
import { PageResolver } from '../reading-list/page-resolver.js';
import { ItemNotFoundError } from '../reading-list/reading-list.errors.js';
import type { PageRecord } from '../resolver/page-record.js';
import { ArticleStore } from './article.store.js';
import { NoArticleError, PageNotReadError } from './articles.errors.js';

/** The article of an item, and all that is known of its page. */
export interface Article {
  readonly item: ItemRow;
  /** The page may have been read again since the item was written: what belongs to the text is taken from here. */
  readonly page: PageRecord;
  readonly pageId: string;
  readonly html: string;
  readonly readAt: Date;
  readonly firstReadAt: Date;
}

const UNREAD = '0';

@Injectable()
export class ArticlesService {
  constructor(
    private readonly database: Database,
    private readonly pages: PageResolver,
    private readonly config: Config,
  ) {}

  /**
   * The article of the person's item at the URL; a page that was not read yet gets a moment for it. Throws
   * ItemNotFoundError, NoArticleError, PageNotReadError.
   */
  async read(userId: string, address: Address): Promise<Article> {
    const item = await this.resolvedItem(userId, address);
    const page = await this.store(userId, (store) => store.findPage(item));
    if (page === undefined || page.article === null) {
      throw new NoArticleError();
    }
    return {
      item,
      page: page.content,
      pageId: item.resolved_id,
      html: await decompressedText(page.article),
      readAt: page.fetched_at,
      firstReadAt: page.first_fetched_at,
    };
  }

  private async resolvedItem(userId: string, address: Address): Promise<ItemRow> {
    const item = await this.item(userId, address);
    if (item.resolved_id !== UNREAD) {
      return item;
    }
    const isWaiting = await this.store(userId, (store) => store.isWaitingForPage(item));
    if (isWaiting) {
      const page = { userId, itemId: item.item_id, url: item.given_url, sent: undefined };
      await this.pages.resolve(page, this.config.resolveWaitMs);
    }
    // The page may have arrived between the two looks.
    const now = await this.item(userId, address);
    if (now.resolved_id === UNREAD) {
      throw isWaiting ? new PageNotReadError() : new NoArticleError();
    }
    return now;
  }

  private async item(userId: string, address: Address): Promise<ItemRow> {
    const item = await this.store(userId, (store) => store.findItem(address));
    if (item === undefined) {
      throw new ItemNotFoundError();
    }
    return item;
  }

  private store<T>(userId: string, work: (store: ArticleStore) => Promise<T>): Promise<T> {
    return this.database.read((manager) => work(new ArticleStore(manager, userId)));
  }
}
