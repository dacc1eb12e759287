import { hash } from 'node:crypto';

import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';

import { compressedText, decompressedText } from '../../lib/util/compressed-text.js';
import { isTemporary } from '../../platform/database/database.errors.js';
import { Database } from '../../platform/database/database.js';
import { FairQueue } from '../../platform/jobs/fair-queue.js';
import { normalAddress } from '../../reading-list/list/address.js';
import { ListRepository } from '../../reading-list/list/list.repository.js';
import type { SentPage } from '../../reading-list/pages/page-requests.js';
import { recordPages } from '../../reading-list/pages/record-pages.js';
import { ownPageBytes } from '../../reading-list/storage/stored-size.js';
import { PageRequest } from './entities/page-request.entity.js';
import { PageRepository } from './page.repository.js';
import { PageReader, type ParsedPage } from './page-reader.js';
import { SentPageRepository, type SentVersion } from './sent-page.repository.js';

/** A page that a client has sent as HTML, for example because the page is visible only after a login. */
interface PageToParse extends SentVersion {
  readonly url: string;
  readonly html: string;
}

/**
 * The number of sent pages that are parsed at the same time. The other parser threads are free for
 * fetched pages.
 */
const CONCURRENCY = 1;
/** The maximum number of sent pages that can be queued in this process. Each page can have up to 2 MB. */
const MAX_WAITING = 50;
/**
 * The maximum number of queued sent pages per user. It is smaller than MAX_WAITING, so that one user cannot fill the
 * queue.
 */
const MAX_PER_USER = 10;
/**
 * The interval in milliseconds at which the lease of a sent page is renewed. The interval is much shorter than the
 * lease, because other pages in the queue can delay the page for a long time.
 */
const RENEW_EVERY_MS = 20_000;

/**
 * The key under which abandoned pages are leased in the parser queue. All other keys are user ids.
 * A page is abandoned if the process that received it has ended or was too busy to parse it.
 */
const ABANDONED = '';

/** Parses the pages that clients send with their items. */
@Injectable()
export class SentPages implements OnApplicationShutdown {
  private readonly logger = new Logger(SentPages.name);
  private readonly queue = new FairQueue({ concurrency: CONCURRENCY });
  /** The number of each user's sent pages that are queued or being parsed in this process. */
  private readonly counts = new Map<string, number>();

  private isShutDown = false;

  constructor(
    private readonly database: Database,
    private readonly reader: PageReader,
    private readonly sentPages: SentPageRepository,
  ) {}

  /** Returns true if too many sent pages are queued in this process, in total or for this user. */
  isFullFor(userId: string): boolean {
    return this.queue.pendingCount >= MAX_WAITING || this.countOf(userId) >= MAX_PER_USER;
  }

  /**
   * Parses a sent page and stores it. Returns true if the page was written to its item, and false if the item was
   * deleted or the client has sent the page again.
   */
  async keep(page: PageToParse): Promise<boolean> {
    const { userId } = page;
    this.counts.set(userId, this.countOf(userId) + 1);
    try {
      return await this.parse(page);
    } finally {
      this.leave(userId);
    }
  }

  /**
   * Returns a sent page that is not parsed yet. Returns undefined if the page has been parsed, or if the client has
   * sent the page again.
   */
  async find({ userId, itemId, version }: SentVersion): Promise<SentPage | undefined> {
    const found = await this.sentPages.findOneBy({ userId, itemId, version });
    return found === null
      ? undefined
      : { html: await decompressedText(found.html), version, stored: found.html };
  }

  /**
   * Deletes a page that was not parsed. Returns false if another process has parsed it, or if the
   * client has sent the page again. The caller must report the deletion to the client or log it.
   */
  discard(page: SentVersion): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      const lists = ListRepository.in(manager);
      await lists.lock(page.userId);
      const bytes = await SentPageRepository.in(manager).take(page);
      if (bytes !== undefined) {
        await lists.moveStorage(page.userId, { storedBytes: -bytes, mayStoreLess: true });
      }
      return bytes !== undefined;
    });
  }

  /** Ends the renewal of leases. A page that is still being parsed is parsed again by the next process. */
  onApplicationShutdown(): void {
    this.isShutDown = true;
  }

  private countOf(userId: string): number {
    return this.counts.get(userId) ?? 0;
  }

  private leave(userId: string): void {
    const left = this.countOf(userId) - 1;
    if (left === 0) {
      this.counts.delete(userId);
    } else {
      this.counts.set(userId, left);
    }
  }

  /**
   * Parses one sent page if the process that received it has ended or was too busy. Returns true if
   * such a page was found.
   */
  async keepAbandoned(): Promise<boolean> {
    const page = await this.queue.run(ABANDONED, () => this.sentPages.claimAbandoned());
    if (page?.isHopeless === false) {
      // The page is queued even if the queue is full, because the client has already received a
      // success response.
      await this.parseOrPostpone({ ...page, html: await decompressedText(page.html) });
    } else if (page !== undefined) {
      const { userId, itemId } = page;
      this.logger.error(`The page sent for item ${itemId} of user ${userId} cannot be parsed.`);
      await this.discard(page);
    }
    return page !== undefined;
  }

  private async parseOrPostpone(page: PageToParse): Promise<void> {
    try {
      await this.parse(page);
    } catch (error) {
      if (isTemporary(error)) {
        await this.sentPages.forgetAttempt(page);
      }
      throw error;
    }
  }

  /** Parses a sent page. Renews its lease until the page is parsed, so that no other process leases the page. */
  private async parse(page: PageToParse): Promise<boolean> {
    const url = normalAddress(page.url)?.pageUrl ?? page.url;
    const renewing = setInterval(() => void this.renew(page), RENEW_EVERY_MS).unref();
    try {
      const read = await this.queue.run(page.userId, () =>
        this.reader.readHtml(url, page.html, page.userId),
      );
      return await this.write(page, url, read);
    } finally {
      clearInterval(renewing);
    }
  }

  private async renew(page: SentVersion): Promise<void> {
    if (this.isShutDown) {
      return;
    }
    await this.sentPages.renewLease(page).catch((error: unknown) => {
      this.logger.warn(error);
    });
  }

  private async write(
    sent: SentVersion,
    url: string,
    { record, article }: ParsedPage,
  ): Promise<boolean> {
    const { userId, itemId } = sent;
    const key = hash('sha256', `${userId}/${itemId}`, 'buffer');
    const compressed = article === undefined ? null : await compressedText(article);
    return this.database.transaction(async (manager) => {
      const lists = ListRepository.in(manager);
      await lists.lock(userId);
      const bytesSent = await SentPageRepository.in(manager).take(sent);
      if (bytesSent === undefined) {
        return false;
      }
      const pages = PageRepository.in(manager);
      const pageId = await pages.keepOwnPage(key, url, sent, [record, compressed]);
      if (pageId === undefined) {
        return false;
      }
      const bytes = ownPageBytes({ url, record, article: compressed });
      // The storage size of the list includes the deleted HTML, so only the difference is added.
      await lists.moveStorage(userId, { storedBytes: bytes - bytesSent, mayStoreLess: true });
      await manager.delete(PageRequest, { userId, itemId });
      const page = { ...record.item, resolvedId: pageId };
      await recordPages(manager, userId, new Map([[itemId, page]]));
      return true;
    });
  }
}
