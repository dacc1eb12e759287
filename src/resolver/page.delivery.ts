import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import { lockList } from '../reading-list/list/list.lock.js';
import { type ItemPage, recordPages } from '../reading-list/list/page-recorder.js';
import type { PageRecord } from './page-record.js';

/** Of one person, in one transaction: each transaction moves the clock of the list by a second. */
const ITEMS_AT_ONCE = 500;
const PEOPLE_AT_ONCE = 100;

const READY = `SELECT DISTINCT user_id FROM page_requests WHERE page_id IS NOT NULL AND user_id > $1
    ORDER BY user_id LIMIT ${PEOPLE_AT_ONCE}`;

/** $2 is the item that a client waits for, if any: it is among the first, however many others are ready. */
const TAKE = `
    DELETE FROM page_requests USING pages
    WHERE page_requests.page_id = pages.page_id AND user_id = $1 AND page_requests.item_id IN (
      SELECT item_id FROM page_requests WHERE user_id = $1 AND page_id IS NOT NULL
      ORDER BY item_id IS NOT DISTINCT FROM $2::bigint DESC, priority LIMIT ${ITEMS_AT_ONCE})
    RETURNING page_requests.item_id, pages.page_id, content`;

interface TakenRow {
  readonly item_id: string;
  readonly page_id: string;
  readonly content: PageRecord;
}

/** Brings pages that were read to the items that wait for them; clients hear of it through `since`. */
@Injectable()
export class PageDelivery {
  private readonly logger = new Logger(PageDelivery.name);

  constructor(private readonly database: Database) {}

  /** To everybody who waits, once; whoever fails keeps nobody else from it. Gives the number of people. */
  async deliverAll(): Promise<number> {
    let people = 0;
    for (let last: string | undefined = '0'; last !== undefined;) {
      const after: string = last;
      const ready = await this.readyAfter(after);
      for (const userId of ready) {
        await this.deliverTo(userId).catch((error: unknown) => {
          this.logger.warn(error);
        });
      }
      people += ready.length;
      last = ready.at(-1);
    }
    return people;
  }

  /** To one person: what is ready now, as far as one transaction carries it, and certainly the item that is waited for. */
  async deliverTo(userId: string, itemId?: string): Promise<void> {
    await this.database.write((manager) => deliver(manager, userId, itemId));
  }

  private async readyAfter(userId: string): Promise<readonly string[]> {
    const rows = await this.database.read((manager) =>
      run<{ user_id: string }>(manager, { text: READY, values: [userId] }),
    );
    return rows.map(({ user_id }) => user_id);
  }
}

/** The list is locked before its requests, as every writer does it. */
async function deliver(manager: EntityManager, userId: string, itemId?: string): Promise<void> {
  await lockList(manager, userId);
  const taken = await run<TakenRow>(manager, { text: TAKE, values: [userId, itemId ?? null] });
  const pages = taken.map((row): [string, ItemPage] => [
    row.item_id,
    { ...row.content.item, pageId: row.page_id },
  ]);
  await recordPages(manager, userId, new Map(pages));
}
