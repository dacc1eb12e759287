import { Injectable } from '@nestjs/common';

import type { ListSummary } from '../../auth/consumers/caller-lists.js';
import { Clock } from '../../platform/common/clock.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { KeyedQueue } from '../../platform/jobs/keyed-queue.js';
import { CACHE_BYTES, CACHE_LOOKUPS } from '../../platform/metrics/cache-lookups.js';
import { Metric, type Sample } from '../../platform/metrics/metric.js';
import type { ItemRow } from '../entities/item.entity.js';
import type { Address } from '../list/address.js';
import { AnnotationRepository, type AnnotationsByItem } from '../list/annotation.repository.js';
import { ItemRepository } from '../list/item.repository.js';
import { TagRepository } from '../list/tag.repository.js';
import { ItemQuery } from '../query/item.query.js';
import type { PagePosition } from '../query/item-order.js';
import { LANGUAGES } from '../query/item-traits.sql.js';
import type { ItemsFound, ItemsWanted, KnownSince } from '../query/items-wanted.js';
import type { GetQuery } from './get.request.js';
import { ItemCache } from './item-cache.js';
import { NO_ITEM } from './narrowed-filter.js';
import { type OpenedPage, wantedOf } from './page-cursors.js';

/**
 * The maximum share of the database connections for the calls of one user. Searches may take seconds, and calls of
 * other users must not wait for them.
 */
const SHARE_OF_CONNECTIONS = 0.5;
const MOST_READS = 256;
const ROWS_AT_ONCE = 100;
const LANGUAGE_CODE = /^[a-z]{2,3}$/;

/** Reads items, annotations and tag names for API calls and pages that show items. */
@Injectable()
export class ListReader {
  private readonly queue: KeyedQueue;
  private readonly cache: ItemCache;

  // eslint-disable-next-line @typescript-eslint/max-params -- the container passes them, by their types
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly tagRepository: TagRepository,
    private readonly annotationRepository: AnnotationRepository,
  ) {
    const concurrency = Math.floor(config.databasePoolSize * SHARE_OF_CONNECTIONS);
    this.cache = new ItemCache(config.itemCacheMegabytes);
    this.queue = new KeyedQueue({ concurrency, maxCalls: MOST_READS });
  }

  @Metric(CACHE_LOOKUPS)
  lookups(): readonly Sample[] {
    return this.cache.lookups.samples('result', { cache: 'items' });
  }

  @Metric(CACHE_BYTES)
  cacheBytes(): readonly Sample[] {
    return [{ labels: { cache: 'items' }, value: this.cache.bytes }];
  }

  /**
   * Returns the range of `since` for which all changes are known. For an older `since`, records of deleted items may
   * have been removed.
   */
  knownSince(list: ListSummary): KnownSince {
    const remembered = this.clock.seconds() - this.config.tombstoneTtlSeconds;
    return { oldest: Math.max(remembered, list.era), newest: list.newest_since };
  }

  /**
   * Returns the id of the item that was saved under this address or another spelling of it. Returns "0" if no such item
   * exists.
   */
  async itemIdAt(userId: string, address: Address): Promise<string> {
    const items = ItemRepository.in(this.database.manager);
    return (await items.rowAt(userId, address))?.item_id ?? NO_ITEM;
  }

  /**
   * Reads a page of items. If the page continues an earlier page, starts where the earlier page ended. `list` is the
   * list summary, which was read at the beginning of the call.
   * @throws ServiceBusyError if too many calls of the user are queued.
   */
  async items(page: OpenedPage, list: ListSummary): Promise<ItemsFound> {
    return continuedBy(page, await this.page(page.question.userId, wantedOf(page), list));
  }

  /**
   * Reads a page of items, starting at the position in `wanted`. If `list`, the list summary, is missing, reads the
   * list summary too.
   * @throws ServiceBusyError if too many calls of the user are queued.
   */
  page(userId: string, wanted: ItemsWanted, list?: ListSummary): Promise<ItemsFound> {
    const { manager } = this.database;
    return this.queue.run(userId, () => this.cache.page(manager, userId, wanted, list));
  }

  /**
   * Yields all matching items. Fetches the items in pages while the caller consumes them. Each page begins after the
   * last item of the previous page. Does not cache the items, because a long list would replace all cached items.
   */
  async *rows(userId: string, wanted: Omit<ItemsWanted, 'page'>): AsyncGenerator<ItemRow> {
    let after: PagePosition | undefined;
    for (let offset = 0; ; offset += ROWS_AT_ONCE) {
      const from = after === undefined ? { offset } : { offset: 0, after };
      const page = { count: ROWS_AT_ONCE, ...from };
      const query = new ItemQuery(this.database.manager, userId);
      const { rows, end } = await this.queue.run(userId, () =>
        query.find({ ...wanted, page, withTotal: false }),
      );
      yield* rows;
      if (rows.length < ROWS_AT_ONCE) {
        return;
      }
      // The results of a search by rank have no positions, so the next page of results is found by its offset.
      after = wanted.isRanked === true ? undefined : end;
    }
  }

  /** Returns the codes of the languages of the user's newest items. */
  async languages(userId: string): Promise<string[]> {
    const rows = await queryRows<{ language: string }>(this.database.manager, LANGUAGES, [userId]);
    return rows.map(({ language }) => language).filter((code) => LANGUAGE_CODE.test(code));
  }

  async annotations(
    userId: string,
    { withAnnotations }: GetQuery,
    { rows }: ItemsFound,
  ): Promise<AnnotationsByItem | undefined> {
    const itemIds = rows.map(({ item_id: itemId }) => itemId);
    return withAnnotations ? this.annotationRepository.ofItems(userId, itemIds) : undefined;
  }

  /**
   * Returns the names of all tags. Returns undefined if the call does not request them, or if no name has changed since
   * `filter.since`.
   */
  async tagNames(
    userId: string,
    { wantsTagList, filter }: GetQuery,
  ): Promise<string[] | undefined> {
    const since = wantsTagList === 'changed' ? filter.since : undefined;
    return wantsTagList === undefined ? undefined : this.tagRepository.names(userId, since);
  }
}

/**
 * Returns the page with the `since` of the client's first page, so that the client also requests
 * changes that were made in the meantime. If the list has changed since the first page, corrects
 * `total`: a client requests the next page only if `total` exceeds the number of rows so far.
 */
function continuedBy({ wanted, continuation }: OpenedPage, found: ItemsFound): ItemsFound {
  if (continuation === undefined) {
    return found;
  }
  const { since, commonVersion, total: shown } = continuation;
  if (found.total === undefined || commonVersion === found.version) {
    return { ...found, since };
  }
  const { offset, count } = wanted.page;
  const total = Math.max(found.total, shown);
  const end = offset + found.size;
  return {
    ...found,
    since,
    total: found.size < count ? Math.min(total, end) : Math.max(total, end + 1),
  };
}
