import { Injectable } from '@nestjs/common';

import { Clock } from '../../platform/common/clock.js';
import { plainText } from '../../platform/i18n/message.js';
import type { ItemRow } from '../../reading-list/entities/item.entity.js';
import type { SavedList } from '../../reading-list/entities/saved-list.entity.js';
import { ListReader } from '../../reading-list/get/list-reader.js';
import type { ItemsFound } from '../../reading-list/query/items-wanted.js';
import { viewOf } from '../../reading-list/saved-lists/saved-list-view.js';
import { SavedLists } from '../../reading-list/saved-lists/saved-lists.service.js';
import { itemsOf as itemsOfView } from '../../reading-list/views/view-query.js';
import { FeedArticles, type FeedPlace } from './feed-articles.js';
import { type FeedChoice, itemsOf } from './feed-choice.js';
import type { FeedOwner } from './feeds.sql.js';

/** A saved list that has a feed. */
export interface ListWithFeed {
  readonly list: SavedList;
  readonly choice: FeedChoice;
}

/** Finds the saved lists that have a feed, and the items of these feeds. */
@Injectable()
export class ListFeeds {
  constructor(
    private readonly lists: SavedLists,
    private readonly reader: ListReader,
    private readonly articles: FeedArticles,
    private readonly clock: Clock,
  ) {}

  /** Returns the lists of a user that have a feed, in the order of the lists. */
  async all(userId: string): Promise<ListWithFeed[]> {
    const now = this.clock.now();
    return (await this.lists.all(userId)).flatMap((list) => withFeed(list, now) ?? []);
  }

  /**
   * Returns the list with a name and its feed. Returns undefined if the list does not exist, has no feed, or has
   * conditions that this version of Satchel does not understand.
   */
  async named(userId: string, name: string): Promise<ListWithFeed | undefined> {
    const list = await this.lists.named(userId, name);
    return list && withFeed(list, this.clock.now());
  }

  /**
   * Returns the newest items of a feed.
   * @throws ServiceBusyError if too many requests of the user are queued
   */
  items(owner: FeedOwner, { choice }: ListWithFeed): Promise<ItemsFound> {
    return this.reader.page(owner.user_id, itemsOf(choice), owner);
  }

  /** Returns the articles for the feed, keyed by item id. Returns undefined for a feed with excerpts. */
  async contents(
    { user_id: userId }: FeedOwner,
    { list }: ListWithFeed,
    { rows, ...place }: FeedPlace & { readonly rows: readonly ItemRow[] },
  ): Promise<ReadonlyMap<string, string> | undefined> {
    return list.feed === 'articles' ? this.articles.of(userId, rows, place) : undefined;
  }
}

/**
 * The feed contains the newest items, whatever the order of the list is. Otherwise, a new item could be behind the end
 * of the feed.
 */
function withFeed(list: SavedList, now: Date): ListWithFeed | undefined {
  const view = list.feed === null ? undefined : viewOf(list);
  return (
    view && {
      list,
      choice: {
        title: plainText(list.name),
        filter: itemsOfView(view, now).filter,
        time: view.state.timeOrder,
        path: `list/${encodeURIComponent(list.name)}`,
        key: `list/${list.id}`,
      },
    }
  );
}
