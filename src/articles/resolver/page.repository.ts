import { randomUUID } from 'node:crypto';

import { IsNull, Not } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { isDistributed } from '../../platform/database/database.js';
import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { Item } from '../../reading-list/entities/item.entity.js';
import { Page } from './entities/page.entity.js';
import type { FailedAttempt, PageClaim, PageRecord, ParsedPage } from './page-reader.js';
import {
  ALLOW_AGAIN,
  CLAIM_NEXT,
  CLAIM_REQUESTED,
  DELETE_IDLE,
  DISCARD_PAGE,
  DROP_REQUEST,
  FIND_IDLE,
  FIND_UNUSED,
  GIVE_UP,
  KEEP_OWN_PAGE,
  LEASE_END,
  POSTPONE,
  RECORD_FETCHED,
  RECORD_FRESH,
  RECORD_UNCHANGED,
  SERIALISE_CLAIMS,
  STATUS,
  USED_AMONG,
} from './resolution.sql.js';

/** The primary key of an item, which consists of the user id and the item id. */
export interface ItemKey {
  readonly userId: string;
  readonly itemId: string;
}

export interface PageCounts {
  /** The number of pages that are queued for items. */
  readonly waiting: number;
  /** The number of pages that are being fetched. `postponed` counts failed pages that will be fetched again. */
  readonly reading: number;
  readonly postponed: number;
  /** The number of pages that have been fetched. `givenUp` counts pages that could not be fetched. */
  readonly read: number;
  readonly givenUp: number;
}

/** The stored data that is needed to show the article of a page. */
interface StoredArticle {
  readonly content: PageRecord;
  /** The compressed HTML of the article. Null if the page has no article. */
  readonly article: Buffer | null;
  readonly fetchedAt: Date;
  readonly firstFetchedAt: Date;
}

type Failure = Pick<FailedAttempt, 'reason' | 'status'>;

type Completed = Pick<PageClaim, 'pageId' | 'lease'>;

/**
 * The time limit in seconds for the daily search for unused pages. The search scans all items, because an index would
 * slow down every save.
 */
const LONGEST_SCAN_SECONDS = 600;
/**
 * The number of pages that one query checks for use, if the items are distributed over several servers. The number is
 * large, because each query scans all items.
 */
const LOOKED_AT_ONCE = 100_000;

export class PageRepository extends CustomRepository<Page> {
  static readonly entity = Page;

  /** Leases the first page of the queue. Returns undefined if no page may be fetched now. Requires a transaction. */
  claimNext(): Promise<PageClaim | undefined> {
    return this.claim(CLAIM_NEXT);
  }

  /** Leases the page of one item. Returns undefined if the page may not be fetched now. Requires a transaction. */
  claimRequested({ userId, itemId }: ItemKey): Promise<PageClaim | undefined> {
    return this.claim(CLAIM_REQUESTED, [userId, itemId]);
  }

  async renewLease(lease: string): Promise<void> {
    await this.update({ lease }, { leasedUntil: () => LEASE_END });
  }

  /** Releases the lease of a page, so that another instance can lease the page immediately. */
  async releaseLease(lease: string): Promise<void> {
    const attempts = (): string => 'greatest(attempts - 1, 0)';
    await this.update({ lease }, { leasedUntil: null, lease: null, attempts });
  }

  /** Stores a fetched page. Returns false without a change if the lease has passed to another worker. */
  recordFetched(
    claim: Completed,
    { record, etag, lastModified }: Omit<ParsedPage, 'article'>,
    article: Buffer | null,
  ): Promise<boolean> {
    const values = [JSON.stringify(record), article, etag, lastModified];
    return this.complete(RECORD_FETCHED, claim, values);
  }

  recordUnchanged(claim: Completed): Promise<boolean> {
    return this.complete(RECORD_UNCHANGED, claim);
  }

  /** Completes the requests for a page that another worker has fetched in the meantime. */
  recordFresh(claim: Completed): Promise<boolean> {
    return this.complete(RECORD_FRESH, claim);
  }

  postpone(claim: Completed, { reason, status }: Failure, seconds: number): Promise<boolean> {
    return this.complete(POSTPONE, claim, [reason, seconds, status]);
  }

  giveUp(claim: Completed, { reason, status }: Failure, seconds: number): Promise<boolean> {
    return this.complete(GIVE_UP, claim, [reason, seconds, status]);
  }

  /** Deletes the stored content of an item's ready page, and the item's page request. Returns the page id. */
  async discardFor(item: ItemKey): Promise<string | undefined> {
    return this.pageIdOf(DISCARD_PAGE, [item.userId, item.itemId]);
  }

  /** Deletes an item's page request, but not the page. Returns the page id. */
  async dropRequest(item: ItemKey): Promise<string | undefined> {
    return this.pageIdOf(DROP_REQUEST, [item.userId, item.itemId]);
  }

  /**
   * Stores the page that a client has sent for an item. The transaction must have locked the user's list. Returns the
   * page id, or undefined if the item was deleted.
   */
  async keepOwnPage(
    key: Buffer,
    url: string,
    { userId, itemId }: ItemKey,
    [record, article]: readonly [PageRecord, Buffer | null],
  ): Promise<string | undefined> {
    if (!(await this.manager.existsBy(Item, { userId, itemId }))) {
      return undefined;
    }
    const values = [key, url, userId, itemId, JSON.stringify(record), article];
    return this.pageIdOf(KEEP_OWN_PAGE, values);
  }

  /**
   * Returns the ids of pages that no item uses, and that were last fetched, retried or leased more than 90 days ago.
   * Excludes pages that clients have sent. Requires a transaction.
   */
  async findUnused(limit: number): Promise<string[]> {
    await allowLongStatements(this.manager, LONGEST_SCAN_SECONDS);
    return isDistributed(this.manager)
      ? this.findUnusedApart(limit)
      : this.idsOf(FIND_UNUSED, [limit]);
  }

  /**
   * Deletes unused pages. Skips a page that an item has requested again in the meantime. Returns the number of deleted
   * pages.
   */
  async deleteIdle(pageIds: readonly string[]): Promise<number> {
    return (await queryRows(this.manager, DELETE_IDLE, [pageIds])).length;
  }

  async counts(): Promise<PageCounts> {
    const [counts] = await queryRows<PageCounts>(this.manager, STATUS);
    return { waiting: 0, reading: 0, postponed: 0, read: 0, givenUp: 0, ...counts };
  }

  /** Returns the ten most common errors of failed pages, each with the number of pages. */
  commonFailures(): Promise<{ readonly reason: string; readonly pages: number }[]> {
    return this.createQueryBuilder('page')
      .select('page.failure', 'reason')
      .addSelect('count(*)::int', 'pages')
      .where('page.failure IS NOT NULL')
      .groupBy('page.failure')
      .orderBy('count(*)', 'DESC')
      .addOrderBy('page.failure')
      .limit(10)
      .getRawMany();
  }

  /**
   * Allows failed pages to be fetched immediately. Sets `retryAt` to the current time instead of null, because the
   * purge of unused pages uses `retryAt` as the time of the last attempt.
   */
  async forgetFailures(): Promise<void> {
    const retryAt = (): string => 'now()';
    await this.update(
      { failure: Not(IsNull()), lease: IsNull() },
      { failure: null, retryAt, attempts: 0 },
    );
  }

  /** Marks all fetched pages as stale, so that the next request for a page fetches it again. */
  async makeStale(): Promise<void> {
    await this.update({ ownerId: IsNull(), freshUntil: Not(IsNull()) }, { freshUntil: null });
  }

  /** Returns the stored article of a page. Returns undefined if the page has not been fetched. */
  findArticle(pageId: string): Promise<StoredArticle | undefined> {
    return this.createQueryBuilder('page')
      .select('page.content', 'content')
      .addSelect('page.article', 'article')
      .addSelect('page.fetched_at', 'fetchedAt')
      .addSelect('page.first_fetched_at', 'firstFetchedAt')
      .where('page.page_id = :pageId AND page.content IS NOT NULL', { pageId })
      .getRawOne();
  }

  /** Returns the reason why the last attempt to fetch the page failed. Returns undefined if the attempt succeeded. */
  async failureOf(pageKey: Buffer): Promise<string | undefined> {
    const page = await this.findOne({
      where: { pageKey },
      select: { pageId: true, failure: true },
    });
    return page?.failure ?? undefined;
  }

  /**
   * Allows the page of an item to be fetched again immediately. Returns false if the last attempt was less than a
   * minute ago, or if the page has an article and `evenRead` is false.
   */
  async allowAgain(
    pageKey: Buffer,
    { userId, itemId }: ItemKey,
    { evenRead }: { readonly evenRead: boolean },
  ): Promise<boolean> {
    const values = [pageKey, userId, itemId, evenRead];
    const [row] = await queryRows<{ isAllowed: boolean }>(this.manager, ALLOW_AGAIN, values);
    return row?.isAllowed === true;
  }

  /** Returns the compressed articles of those pages that have an article. */
  findArticles(
    pageIds: readonly string[],
  ): Promise<{ readonly pageId: string; readonly article: Buffer }[]> {
    return this.createQueryBuilder('page')
      .select('page.page_id', 'pageId')
      .addSelect('page.article', 'article')
      .where('page.page_id = ANY (:pageIds) AND page.article IS NOT NULL', { pageIds })
      .getRawMany();
  }

  /** Returns the URL of a picture of the page. Pictures are numbered from 1. */
  async findImageUrl(pageId: string, number: number): Promise<string | undefined> {
    const row = await this.createQueryBuilder('page')
      .select(`page.content->'item'->'media'->'images'->(:at::integer)->>'src'`, 'src')
      .setParameter('at', number - 1)
      .where('page.page_id = :pageId', { pageId })
      .getRawOne<{ src: string | null }>();
    return row?.src ?? undefined;
  }

  private async claim(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<PageClaim | undefined> {
    await queryRows(this.manager, SERIALISE_CLAIMS);
    const [claim] = await queryRows<PageClaim>(this.manager, text, [randomUUID(), ...values]);
    return claim;
  }

  private async complete(
    text: string,
    { pageId, lease }: Completed,
    values: readonly unknown[] = [],
  ): Promise<boolean> {
    return (await queryRows(this.manager, text, [pageId, lease, ...values])).length > 0;
  }

  private async findUnusedApart(limit: number): Promise<string[]> {
    const unused: string[] = [];
    for (let last: string | undefined = '0'; last !== undefined && unused.length < limit;) {
      const idle: string[] = await this.idsOf(FIND_IDLE, [LOOKED_AT_ONCE, last]);
      const used = new Set(await this.idsOf(USED_AMONG, [idle]));
      unused.push(...idle.filter((pageId) => !used.has(pageId)));
      last = idle.at(-1);
    }
    return unused.slice(0, limit);
  }

  private async idsOf(text: string, values: readonly unknown[]): Promise<string[]> {
    const rows = await queryRows<{ pageId: string }>(this.manager, text, values);
    return rows.map(({ pageId }) => pageId);
  }

  private async pageIdOf(text: string, values: readonly unknown[]): Promise<string | undefined> {
    const [page] = await queryRows<{ pageId: string }>(this.manager, text, values);
    return page?.pageId;
  }
}
