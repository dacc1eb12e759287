import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';

import { ServiceBusyError } from '../common/common.errors.js';
import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import { normalAddress } from '../reading-list/list/address.js';
import { lockList } from '../reading-list/list/list.lock.js';
import { recordPages } from '../reading-list/list/page-recorder.js';
import { compressedArticle } from './compressed-article.js';
import { PageReader } from './page-reader.js';
import type { ReadPage } from './page-record.js';

/** A page as the client's browser saw it, perhaps behind a login. */
export interface OwnPage {
  readonly userId: string;
  readonly itemId: string;
  readonly url: string;
  readonly html: string;
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

const NO_LONGER_WAITING = `DELETE FROM page_requests WHERE user_id = $1 AND item_id = $2`;

/** Pages that clients send of themselves. */
@Injectable()
export class OwnPages {
  private readonly turns = pLimit(AT_ONCE);

  constructor(
    private readonly database: Database,
    private readonly reader: PageReader,
  ) {}

  /** Tells whether the page was written to its item, which may have been deleted meanwhile. Throws ServiceBusyError. */
  async keep(page: OwnPage): Promise<boolean> {
    const url = normalAddress(page.url)?.pageUrl ?? page.url;
    if (this.turns.pendingCount >= MOST_WAITING) {
      throw new ServiceBusyError();
    }
    const read = await this.turns(() => this.reader.readHtml(url, page.html));
    return this.write({ ...page, url }, read);
  }

  private async write({ userId, itemId, url }: OwnPage, read: ReadPage): Promise<boolean> {
    const key = hash('sha256', `${userId}/${itemId}`, 'buffer');
    const article = read.article === undefined ? null : await compressedArticle(read.article);
    const content = JSON.stringify(read.record);
    return this.database.write(async (manager) => {
      await lockList(manager, userId);
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
