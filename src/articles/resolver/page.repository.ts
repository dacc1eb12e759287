import { randomUUID } from 'node:crypto';

import { IsNull, Not, Repository } from 'typeorm';

import { isDistributed } from '../../platform/database/database.js';
import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { Item } from '../../reading-list/entities/item.entity.js';
import type { Page } from './entities/page.entity.js';
import type { PageClaim, PageRecord, ReadPage, UnreadPage } from './page-reader.js';
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
  RECORD_FRESH,
  RECORD_READ,
  RECORD_UNCHANGED,
  SERIALISE_CLAIMS,
  STATUS,
  USED_AMONG,
} from './resolution.sql.js';

/** An item of a user. */
export interface ItemKey {
  readonly userId: string;
  readonly itemId: string;
}

export interface PageCounts {
  /** Pages that items wait for. */
  readonly waiting: number;
  /** Pages that are being read, and that are tried again later. */
  readonly reading: number;
  readonly postponed: number;
  /** Pages that were read, and those that could not be. */
  readonly read: number;
  readonly givenUp: number;
}

/** What the article view needs of a page. */
interface StoredArticle {
  readonly content: PageRecord;
  /** Compressed; null for a page without an article. */
  readonly article: Buffer | null;
  readonly fetchedAt: Date;
  readonly firstFetchedAt: Date;
}

type Failure = Pick<UnreadPage, 'reason' | 'status'>;

type Completed = Pick<PageClaim, 'pageId' | 'lease'>;

/** The search for unused pages scans all items once a day; an index for it would slow every save. */
const LONGEST_SCAN_SECONDS = 600;
/** Each look at other servers reads all of their items. */
const LOOKED_AT_ONCE = 100_000;

export class PageRepository extends Repository<Page> {
  /** The first page of the queue; undefined when no page may be read now. In a transaction. */
  claimNext(): Promise<PageClaim | undefined> {
    return this.claim(CLAIM_NEXT);
  }

  /** The page of one item, if it may be read now. In a transaction. */
  claimRequested({ userId, itemId }: ItemKey): Promise<PageClaim | undefined> {
    return this.claim(CLAIM_REQUESTED, [userId, itemId]);
  }

  async renewLease(lease: string): Promise<void> {
    await this.update({ lease }, { leasedUntil: () => LEASE_END });
  }

  /** Another instance may claim the page at once. */
  async releaseLease(lease: string): Promise<void> {
    const attempts = (): string => 'greatest(attempts - 1, 0)';
    await this.update({ lease }, { leasedUntil: null, lease: null, attempts });
  }

  /** As the others below: false when the lease has gone to another worker, and then nothing is written. */
  recordRead(
    claim: Completed,
    { record, etag, lastModified }: Omit<ReadPage, 'article'>,
    article: Buffer | null,
  ): Promise<boolean> {
    return this.complete(RECORD_READ, claim, [JSON.stringify(record), article, etag, lastModified]);
  }

  recordUnchanged(claim: Completed): Promise<boolean> {
    return this.complete(RECORD_UNCHANGED, claim);
  }

  /** Another worker has read the page meanwhile. */
  recordFresh(claim: Completed): Promise<boolean> {
    return this.complete(RECORD_FRESH, claim);
  }

  postpone(claim: Completed, { reason, status }: Failure, seconds: number): Promise<boolean> {
    return this.complete(POSTPONE, claim, [reason, seconds, status]);
  }

  giveUp(claim: Completed, { reason, status }: Failure, seconds: number): Promise<boolean> {
    return this.complete(GIVE_UP, claim, [reason, seconds, status]);
  }

  /** Empties the page that is ready for an item, and drops its request. Gives the id of the page. */
  async discardFor(item: ItemKey): Promise<string | undefined> {
    return this.pageIdOf(DISCARD_PAGE, [item.userId, item.itemId]);
  }

  /** Drops the request of an item whose page is ready, and keeps the page. Gives the id of the page. */
  async dropRequest(item: ItemKey): Promise<string | undefined> {
    return this.pageIdOf(DROP_REQUEST, [item.userId, item.itemId]);
  }

  /** Stores a page that was sent for an item; the caller has locked the list. Gives the id of the page; undefined when the item was deleted. */
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

  /** Shared pages that no item has and that were not touched for 90 days. In a transaction. */
  async findUnused(limit: number): Promise<string[]> {
    await allowLongStatements(this.manager, LONGEST_SCAN_SECONDS);
    return isDistributed(this.manager)
      ? this.findUnusedApart(limit)
      : this.idsOf(FIND_UNUSED, [limit]);
  }

  /** Deletes those of the pages that were not requested meanwhile. Gives their number. */
  async deleteIdle(pageIds: readonly string[]): Promise<number> {
    return (await queryRows(this.manager, DELETE_IDLE, [pageIds])).length;
  }

  async counts(): Promise<PageCounts> {
    const [counts] = await queryRows<PageCounts>(this.manager, STATUS);
    return { waiting: 0, reading: 0, postponed: 0, read: 0, givenUp: 0, ...counts };
  }

  /** The ten commonest reasons of the last failures. */
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

  /** Pages that failed may be tried at once; `retryAt` keeps that they were touched. */
  async forgetFailures(): Promise<void> {
    const retryAt = (): string => 'now()';
    await this.update(
      { failure: Not(IsNull()), lease: IsNull() },
      { failure: null, retryAt, attempts: 0 },
    );
  }

  /** Shared pages are read again when they are requested. */
  async makeStale(): Promise<void> {
    await this.update({ ownerId: IsNull(), freshUntil: Not(IsNull()) }, { freshUntil: null });
  }

  /** Undefined for a page that was not read. */
  findArticle(pageId: string): Promise<StoredArticle | undefined> {
    return this.createQueryBuilder('page')
      .select('page.content', 'content')
      .addSelect('page.article', 'article')
      .addSelect('page.fetched_at', 'fetchedAt')
      .addSelect('page.first_fetched_at', 'firstFetchedAt')
      .where('page.page_id = :pageId AND page.content IS NOT NULL', { pageId })
      .getRawOne();
  }

  /** Why the last attempt to read the page failed; undefined when it did not. */
  async failureOf(pageKey: Buffer): Promise<string | undefined> {
    const page = await this.findOne({
      where: { pageKey },
      select: { pageId: true, failure: true },
    });
    return page?.failure ?? undefined;
  }

  /**
   * The page may be read at once, and the item may ask for it anew; false for one that was tried a moment ago, or has an
   * article, where that is not to be read again.
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

  /** Those of the pages that have an article. */
  findArticles(
    pageIds: readonly string[],
  ): Promise<{ readonly pageId: string; readonly article: Buffer }[]> {
    return this.createQueryBuilder('page')
      .select('page.page_id', 'pageId')
      .addSelect('page.article', 'article')
      .where('page.page_id = ANY (:pageIds) AND page.article IS NOT NULL', { pageIds })
      .getRawMany();
  }

  /** The URL of a picture of the page; pictures are counted from 1. */
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
