import { hash } from 'node:crypto';

import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { ServiceBusyError } from '../common/common.errors.js';
import { compressedText, decompressedText } from '../common/compressed-text.js';
import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import { normalAddress } from '../reading-list/list/address.js';
import { lockList } from '../reading-list/list/list.lock.js';
import { recordPages } from '../reading-list/list/page-recorder.js';
import { PageReader } from './page-reader.js';
import type { ReadPage } from './page-record.js';
import { CLAIM_SENT, RENEW_SENT, type SentPageRow, TAKE_SENT } from './sent-page.statements.js';
import { UserTurns } from './user-turns.js';

/** A page as the client's browser saw it, perhaps behind a login. */
export interface OwnPage {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
  readonly html: string;
  readonly version: string;
}

/** It belongs to the item alone, and goes with it (docs/decisions/0019). */
const KEEP = `
    INSERT INTO pages (page_key, url, host, owner_id, item_id, content, article, fetched_at, first_fetched_at)
    SELECT $1, $2, '', $3, $4, $5, $6, now(), now()
    WHERE EXISTS (SELECT FROM items WHERE user_id = $3 AND item_id = $4)
    ON CONFLICT (page_key) DO UPDATE SET content = excluded.content, article = excluded.article, fetched_at = now()
    RETURNING page_id`;

/** Of pages that are read: whoever sends hundreds keeps no thread from the pages of others. */
const AT_ONCE = 1;
/** Each may be 2 MB. */
const MOST_WAITING = 50;
/** Whoever sends many leaves places for others. */
const MOST_OF_ONE = 10;
/** Well before a lease ends: a page may wait for many others, each of which takes seconds. */
const RENEW_EVERY_MS = 20_000;

/** Pages of processes that ended have a turn as those of a user have. */
const LEFT_BEHIND = '';

const NO_LONGER_WAITING = `DELETE FROM page_requests WHERE user_id = $1 AND item_id = $2`;

/** Pages that clients send of themselves. */
@Injectable()
export class OwnPages {
  private readonly logger = new Logger(OwnPages.name);
  private readonly turns = new UserTurns(AT_ONCE);
  /** How many pages of each person wait or are parsed here. */
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly reader: PageReader,
  ) {}

  /** Tells whether the page was written to its item, which may have been deleted meanwhile. Throws ServiceBusyError. */
  async keep(page: OwnPage): Promise<boolean> {
    if (this.turns.pendingCount >= MOST_WAITING || this.countOf(page.userId) >= MOST_OF_ONE) {
      await this.database.write((manager) => take(manager, page));
      throw new ServiceBusyError();
    }
    this.counts.set(page.userId, this.countOf(page.userId) + 1);
    try {
      return await this.parse(page);
    } finally {
      this.leave(page.userId);
    }
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

  /** A page that was left behind by a process that ended. Tells whether there was one. */
  async keepNext(): Promise<boolean> {
    const left = await this.turns.run(LEFT_BEHIND, () => this.claim());
    if (left?.is_hopeless === false) {
      const { user_id: userId, item_id: itemId, version, url } = left;
      // However many wait here: whoever sent it was told that it is kept.
      await this.parse({ userId, itemId, version, url, html: await decompressedText(left.html) });
    } else if (left !== undefined) {
      const { user_id: userId, item_id: itemId, version } = left;
      this.logger.error(`The page sent for item ${itemId} of user ${userId} cannot be parsed.`);
      await this.database.write((manager) => take(manager, { userId, itemId, version }));
    }
    return left !== undefined;
  }

  /** As long as it waits and is parsed it is nobody else's. */
  private async parse(page: OwnPage): Promise<boolean> {
    const url = normalAddress(page.url)?.pageUrl ?? page.url;
    const renewing = setInterval(() => void this.renew(page), RENEW_EVERY_MS).unref();
    try {
      const read = await this.turns.run(page.userId, () =>
        this.reader.readHtml(url, page.html, page.userId),
      );
      return await this.write({ ...page, url }, read);
    } finally {
      clearInterval(renewing);
    }
  }

  private async renew({ userId, itemId, version }: OwnPage): Promise<void> {
    try {
      const values = [userId, itemId, version];
      await this.database.read((manager) => run(manager, { text: RENEW_SENT, values }));
    } catch (error) {
      this.logger.warn(error);
    }
  }

  private async claim(): Promise<SentPageRow | undefined> {
    const [row] = await this.database.write((manager) =>
      run<SentPageRow & Record<string, unknown>>(manager, { text: CLAIM_SENT, values: [] }),
    );
    return row;
  }

  private async write({ userId, itemId, url, version }: OwnPage, read: ReadPage): Promise<boolean> {
    const key = hash('sha256', `${userId}/${itemId}`, 'buffer');
    const article = read.article === undefined ? null : await compressedText(read.article);
    const content = JSON.stringify(read.record);
    return this.database.write(async (manager) => {
      await lockList(manager, userId);
      if (!(await take(manager, { userId, itemId, version }))) {
        return false;
      }
      const values = [key, url, userId, itemId, content, article];
      const [kept] = await run<{ page_id: string }>(manager, { text: KEEP, values });
      if (kept === undefined) {
        return false;
      }
      await run(manager, { text: NO_LONGER_WAITING, values: [userId, itemId] });
      const item = { ...read.record.item, pageId: kept.page_id };
      await recordPages(manager, userId, new Map([[itemId, item]]));
      return true;
    });
  }
}

/** False when another process has it, or it was sent again. */
async function take(
  manager: EntityManager,
  { userId, itemId, version }: Pick<OwnPage, 'userId' | 'itemId' | 'version'>,
): Promise<boolean> {
  const values = [userId, itemId, version];
  return (await run(manager, { text: TAKE_SENT, values })).length > 0;
}
