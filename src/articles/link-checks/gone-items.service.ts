import { Injectable, Logger } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import { type GoneItem, recordGone } from '../../reading-list/pages/record-gone.js';
import { type ItemOfPage, type ItemPlace, LinkCheckRepository } from './link-check.repository.js';

/** The maximum number of items that are loaded at once, so that they need little memory. */
const ITEMS_LOADED = 50_000;
/** The place before all items. */
const START: ItemPlace = { userId: '0', itemId: '0' };
/** The value of an item whose page exists. */
const NOT_GONE = '0';
/** The maximum number of items per transaction. Each transaction creates a version of the list. */
const ITEMS_AT_ONCE = 500;

type GoneItemOfUser = GoneItem & Pick<ItemPlace, 'userId'>;

/** Copies the results of the checks of pages to the items, so that the list can be filtered by them. */
@Injectable()
export class GoneItems {
  private readonly logger = new Logger(GoneItems.name);
  /** Tests load fewer items at once. */
  itemsLoaded = ITEMS_LOADED;

  constructor(
    private readonly database: Database,
    private readonly checks: LinkCheckRepository,
  ) {}

  /**
   * Marks the items of gone pages, and removes the marks of items whose pages were found again. Ends early if the signal
   * is aborted.
   */
  async mark(signal: AbortSignal): Promise<void> {
    for (let last: string | undefined = '0'; last !== undefined && !signal.aborted;) {
      const pages = await this.checks.gonePages(last);
      const goneSince = new Map(pages.map((page) => [page.pageId, page.goneSince]));
      await this.markItemsOf(goneSince, signal);
      last = pages.at(-1)?.pageId;
    }
    const marked = this.batches(
      (checks, after) => checks.markedItems(after, this.itemsLoaded),
      signal,
    );
    for await (const items of marked) {
      const found = await this.checks.withoutGonePage(items);
      const unmarked = found.map((item) => ({ ...item, goneSince: NOT_GONE }));
      await this.write(unmarked, signal);
    }
  }

  private async markItemsOf(
    goneSince: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<void> {
    if (goneSince.size === 0) {
      return;
    }
    const pageIds = [...goneSince.keys()];
    const unmarked = this.batches(
      (checks, after) => checks.unmarkedItems(pageIds, after, this.itemsLoaded),
      signal,
    );
    for await (const items of unmarked) {
      const gone = items.map((item) => ({
        ...item,
        goneSince: goneSince.get(item.pageId) ?? NOT_GONE,
      }));
      await this.write(gone, signal);
    }
  }

  /** Selects items in batches. Each batch has its own transaction, which ends before the batch is used. */
  private async *batches(
    next: (checks: LinkCheckRepository, after: ItemPlace) => Promise<ItemOfPage[]>,
    signal: AbortSignal,
  ): AsyncGenerator<readonly ItemOfPage[]> {
    let after: ItemPlace | undefined = START;
    while (after !== undefined && !signal.aborted) {
      const place: ItemPlace = after;
      const items: readonly ItemOfPage[] = await this.database.transaction((manager) =>
        next(LinkCheckRepository.in(manager), place),
      );
      yield items;
      after = items.length < this.itemsLoaded ? undefined : items.at(-1);
    }
  }

  private async write(items: readonly GoneItemOfUser[], signal: AbortSignal): Promise<void> {
    for (const [userId, ofUser] of byUser(items)) {
      for (let from = 0; from < ofUser.length && !signal.aborted; from += ITEMS_AT_ONCE) {
        await this.writeFor(userId, ofUser.slice(from, from + ITEMS_AT_ONCE));
      }
    }
  }

  /** An error for one user, such as a locked list, must not affect other users. The next run tries again. */
  private async writeFor(userId: string, items: readonly GoneItem[]): Promise<void> {
    try {
      await this.database.transaction((manager) => recordGone(manager, userId, items));
    } catch (error) {
      this.logger.warn(error);
    }
  }
}

function byUser(items: readonly GoneItemOfUser[]): ReadonlyMap<string, readonly GoneItem[]> {
  const users = new Map<string, GoneItem[]>();
  for (const item of items) {
    const ofUser = users.get(item.userId) ?? [];
    ofUser.push(item);
    users.set(item.userId, ofUser);
  }
  return users;
}
