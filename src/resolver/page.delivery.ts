import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { DomainError } from '../common/domain.error.js';
import { Database } from '../database/database.js';
import { databaseFault } from '../database/database-fault.js';
import { run, type Statement } from '../database/statements.js';
import { isListLocked, lockList } from '../reading-list/list/list.lock.js';
import { type ItemPage, recordPages } from '../reading-list/list/page-recorder.js';
import type { PageRecord } from './page-record.js';

/** Of one person, in one transaction: each transaction moves the clock of the list by a second. */
const ITEMS_AT_ONCE = 500;
const PEOPLE_AT_ONCE = 100;

const READY = `SELECT DISTINCT user_id FROM page_requests WHERE page_id IS NOT NULL AND user_id > $1
    ORDER BY user_id LIMIT ${PEOPLE_AT_ONCE}`;

/** $2 is the item that a client waits for, if any: it is among the first, however many others are ready. */
const FIRST = `
    SELECT item_id FROM page_requests WHERE user_id = $1 AND page_id IS NOT NULL
    ORDER BY item_id IS NOT DISTINCT FROM $2::bigint DESC, priority LIMIT ${ITEMS_AT_ONCE}`;

const take = (items: string): string => `
    DELETE FROM page_requests USING pages
    WHERE page_requests.page_id = pages.page_id AND user_id = $1 AND page_requests.item_id IN (${items})
    RETURNING page_requests.item_id, pages.page_id, content`;

const TAKE_FIRST = take(FIRST);
const TAKE_THESE = take('SELECT unnest($2::bigint[])');

/** What was read stays for others. $2 is the item. */
const DROP = `
    DELETE FROM page_requests WHERE user_id = $1 AND item_id = $2 AND page_id IS NOT NULL RETURNING page_id`;

/** What was read goes, so that it is in nobody's way; whoever saves the page after a while makes it be read again. $2 is the item. */
const GIVE_UP = `
    WITH page AS (
      UPDATE pages SET failure = 'refused by the database', retry_at = now() + interval '1 hour', fresh_until = NULL,
        fetched_at = NULL, first_fetched_at = NULL, content = NULL, article = NULL, etag = NULL, last_modified = NULL
      FROM page_requests WHERE pages.page_id = page_requests.page_id AND user_id = $1 AND page_requests.item_id = $2
      RETURNING pages.page_id),
    dropped AS (DELETE FROM page_requests WHERE user_id = $1 AND item_id = $2 AND page_id IS NOT NULL)
    SELECT page_id FROM page`;

interface TakenRow {
  readonly item_id: string;
  readonly page_id: string;
  /** Null when the page was emptied for somebody else meanwhile: then it is given up for all. */
  readonly content: PageRecord | null;
}

/** Brings pages that were read to the items that wait for them; clients hear of it through `since`. */
@Injectable()
export class PageDelivery {
  private readonly logger = new Logger(PageDelivery.name);

  constructor(private readonly database: Database) {}

  /**
   * To everybody who waits, once, but for those whose lists others have locked: their turn is the next time. Whoever
   * fails keeps nobody else from it. Gives the number of people.
   */
  async deliverAll(): Promise<number> {
    let people = 0;
    for (let last: string | undefined = '0'; last !== undefined;) {
      const after: string = last;
      const ready = await this.readyAfter(after);
      for (const userId of ready) {
        await this.deliverIfFree(userId).catch((error: unknown) => {
          this.logger.warn(error);
        });
      }
      people += ready.length;
      last = ready.at(-1);
    }
    return people;
  }

  /** The look lets the list go again: somebody may lock it before the delivery does, which then waits for once. */
  private async deliverIfFree(userId: string): Promise<void> {
    if (!(await this.database.read((manager) => isListLocked(manager, userId)))) {
      await this.deliverTo(userId);
    }
  }

  /** To one person: what is ready now, as far as one transaction carries it, and certainly the item that is waited for. */
  async deliverTo(userId: string, itemId?: string): Promise<void> {
    const which = [userId, itemId ?? null];
    try {
      await this.write(userId, { text: TAKE_FIRST, values: which });
    } catch (error) {
      if (mayPass(error)) {
        throw error;
      }
      const rows = await this.database.read((manager) =>
        run<{ item_id: string }>(manager, { text: FIRST, values: which }),
      );
      await this.deliverApart(
        userId,
        rows.map(({ item_id }) => item_id),
      );
    }
  }

  /** By halves, down to the pages that cannot be written: nobody else's wait for them. */
  private async deliverApart(userId: string, itemIds: readonly string[]): Promise<void> {
    const middle = Math.ceil(itemIds.length / 2);
    for (const half of [itemIds.slice(0, middle), itemIds.slice(middle)]) {
      try {
        await this.write(userId, { text: TAKE_THESE, values: [userId, half] });
      } catch (error) {
        if (mayPass(error)) {
          throw error;
        }
        await (half.length > 1
          ? this.deliverApart(userId, half)
          : this.giveUp(userId, half, error));
      }
    }
  }

  private async giveUp(userId: string, [itemId]: readonly string[], error: unknown): Promise<void> {
    // Anything else may lie in the list: one that is broken empties no page of others.
    const text = databaseFault(error) === 'invalid_value' ? GIVE_UP : DROP;
    const [page] = await this.database.write((manager) =>
      run<{ page_id: string }>(manager, { text, values: [userId, itemId] }),
    );
    const pageId = page?.page_id ?? 'that is gone';
    this.logger.error(new Error(`page ${pageId} cannot be written to its item`, { cause: error }));
  }

  private async write(userId: string, taking: Statement): Promise<void> {
    await this.database.write((manager) => deliver(manager, userId, taking));
  }

  private async readyAfter(userId: string): Promise<readonly string[]> {
    const rows = await this.database.read((manager) =>
      run<{ user_id: string }>(manager, { text: READY, values: [userId] }),
    );
    return rows.map(({ user_id }) => user_id);
  }
}

/** The list is locked before its requests, as every writer does it. */
async function deliver(manager: EntityManager, userId: string, taking: Statement): Promise<void> {
  await lockList(manager, userId);
  const taken = await run<TakenRow>(manager, taking);
  const pages = taken.flatMap(({ item_id, page_id, content }): [string, ItemPage][] =>
    content === null ? [] : [[item_id, { ...content.item, pageId: page_id }]],
  );
  await recordPages(manager, userId, new Map(pages));
}

/** Nothing is wrong with the pages: the database has no time for them, or their owner is gone. */
const mayPass = (error: unknown): boolean =>
  error instanceof DomainError ||
  /^(?:service_busy|database_unavailable)$/.test(databaseFault(error) ?? '');
