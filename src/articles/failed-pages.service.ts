import { Injectable } from '@nestjs/common';

import { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/database.js';
import {
  pageKeyOf,
  PagePriority,
  type RequestedItem,
  requestPages,
} from '../reading-list/pages/page-requests.js';
import { FailedPageRepository } from './resolver/failed-page.repository.js';
import { PageRequestRepository } from './resolver/page-request.repository.js';

/** The number of items whose pages one transaction requests again. */
const AT_ONCE = 500;

interface KeyedItem extends RequestedItem {
  readonly pageKey: Buffer;
}

/** The state of a page that could not be fetched. */
export interface FailedPage {
  /** The reason of the last failure. Undefined if it is unknown. */
  readonly failure: string | undefined;
  /** True if the page is queued to be fetched again. */
  readonly isWaiting: boolean;
}

/** Finds out why the pages of items could not be fetched, and fetches them again. */
@Injectable()
export class FailedPages {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly pages: FailedPageRepository,
    private readonly requests: PageRequestRepository,
  ) {}

  /** Returns the state of the pages of items, keyed by item id. */
  async of(
    userId: string,
    items: readonly RequestedItem[],
  ): Promise<ReadonlyMap<string, FailedPage>> {
    const keyed = items.flatMap(withKey);
    const [failures, waiting] = await Promise.all([
      this.pages.failuresOf(keyed.map(({ pageKey }) => pageKey)),
      this.requests.waitingAmong(
        userId,
        items.map(({ itemId }) => itemId),
      ),
    ]);
    const reasons = new Map(failures.map(({ pageKey, failure }) => [textOf(pageKey), failure]));
    const keys = new Map(keyed.map(({ itemId, pageKey }) => [itemId, textOf(pageKey)]));
    return new Map(
      items.map(({ itemId }) => [
        itemId,
        { failure: reasons.get(keys.get(itemId) ?? ''), isWaiting: waiting.has(itemId) },
      ]),
    );
  }

  /**
   * Queues the pages of items whose page could not be fetched. They have the priority of imported pages, so they count
   * against the hourly quota for imports, and pages that users save are fetched before them.
   */
  async retryAll(userId: string, items: AsyncIterable<RequestedItem>): Promise<void> {
    let batch: RequestedItem[] = [];
    for await (const item of items) {
      batch.push(item);
      if (batch.length === AT_ONCE) {
        await this.retry(userId, batch.flatMap(withKey));
        batch = [];
      }
    }
    await this.retry(userId, batch.flatMap(withKey));
  }

  private async retry(userId: string, items: readonly KeyedItem[]): Promise<void> {
    if (items.length === 0) {
      return;
    }
    const { resolverPagesPerHour: perHour } = this.config;
    await this.database.transaction(async (manager) => {
      const held = await FailedPageRepository.in(manager).allowAllAgain(
        userId,
        items.map(({ pageKey }) => pageKey),
        items.map(({ itemId }) => itemId),
      );
      const heldKeys = new Set(held.map(textOf));
      const allowed = items.filter(({ pageKey }) => !heldKeys.has(textOf(pageKey)));
      await requestPages(manager, userId, allowed, { perHour, priority: PagePriority.Imported });
    });
  }
}

const textOf = (pageKey: Buffer): string => pageKey.toString('base64');

function withKey(item: RequestedItem): KeyedItem[] {
  const pageKey = pageKeyOf(item.givenUrl);
  return pageKey === undefined ? [] : [{ ...item, pageKey }];
}
