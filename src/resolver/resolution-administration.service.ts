import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import { PagePriority, requestPages } from '../reading-list/list/page-requests.js';

/** How the reading of pages stands. */
export interface ResolutionStatus {
  /** Pages that somebody waits for. */
  readonly waiting: number;
  /** Of these: being read, and tried in vain so far. */
  readonly reading: number;
  readonly postponed: number;
  /** Pages that were read, and those that never could be. */
  readonly read: number;
  readonly givenUp: number;
  /** The commonest reasons of the last failures. */
  readonly failures: readonly { readonly reason: string; readonly pages: number }[];
}

const STATUS = `
    SELECT (SELECT count(DISTINCT page_key)::int FROM page_requests WHERE page_id IS NULL) AS waiting,
      count(*) FILTER (WHERE leased_until > now())::int AS reading,
      count(*) FILTER (WHERE failure IS NOT NULL AND attempts > 0)::int AS postponed,
      count(*) FILTER (WHERE fetched_at IS NOT NULL)::int AS read,
      count(*) FILTER (WHERE failure IS NOT NULL AND attempts = 0 AND fetched_at IS NULL)::int AS "givenUp"
    FROM pages`;

const FAILURES = `
    SELECT failure AS reason, count(*)::int AS pages FROM pages
    WHERE failure IS NOT NULL GROUP BY failure ORDER BY count(*) DESC, failure LIMIT 10`;

/** Pages that failed may be tried at once; that they were touched is remembered (page-purge.ts). */
const FORGET_FAILURES = `
    UPDATE pages SET failure = NULL, retry_at = now(), attempts = 0
    WHERE failure IS NOT NULL AND lease IS NULL`;

const FORGET_RETRIES = `UPDATE page_requests SET retry_at = NULL WHERE retry_at IS NOT NULL`;

const FORGET_PAUSES = `DELETE FROM host_pauses`;

const MAKE_STALE = `UPDATE pages SET fresh_until = NULL WHERE owner_id IS NULL AND fresh_until IS NOT NULL`;

const ITEMS = `
    SELECT user_id, item_id, given_url FROM items
    WHERE (user_id, item_id) > ($1::bigint, $2::bigint) AND (NOT $3::boolean OR resolved_id = 0)
      AND NOT EXISTS (SELECT FROM pages WHERE owner_id = items.user_id AND pages.item_id = items.item_id)
    ORDER BY user_id, item_id LIMIT 1000`;

interface ItemRow {
  readonly user_id: string;
  readonly item_id: string;
  readonly given_url: string;
}

/** What an administrator does about pages. */
@Injectable()
export class ResolutionAdministrationService {
  constructor(private readonly database: Database) {}

  status(): Promise<ResolutionStatus> {
    return this.database.read(async (manager) => {
      const [status] = await run<Omit<ResolutionStatus, 'failures'>>(manager, {
        text: STATUS,
        values: [],
      });
      const failures = await run<ResolutionStatus['failures'][number]>(manager, {
        text: FAILURES,
        values: [],
      });
      return { ...none, ...status, failures };
    });
  }

  /** Asks again for the pages of all items that have none. Gives the number of items. */
  async retry(): Promise<number> {
    await this.statements(FORGET_FAILURES, FORGET_RETRIES, FORGET_PAUSES);
    return this.requestAll(true);
  }

  /** Asks for the pages of all items; what has not changed at its host is not fetched. Gives the number of items. */
  async refresh(): Promise<number> {
    await this.statements(FORGET_FAILURES, FORGET_RETRIES, FORGET_PAUSES, MAKE_STALE);
    return this.requestAll(false);
  }

  private async statements(...texts: readonly string[]): Promise<void> {
    await this.database.write(async (manager) => {
      for (const text of texts) {
        await run(manager, { text, values: [] });
      }
    });
  }

  /** In batches: there may be millions. */
  private async requestAll(onlyUnread: boolean): Promise<number> {
    let count = 0;
    for (let last: ItemRow | undefined = FIRST; last !== undefined;) {
      const values: unknown[] = [last.user_id, last.item_id, onlyUnread];
      const rows: ItemRow[] = await this.database.read((manager) =>
        run<ItemRow>(manager, { text: ITEMS, values }),
      );
      await this.request(rows);
      count += rows.length;
      last = rows.at(-1);
    }
    return count;
  }

  private async request(rows: readonly ItemRow[]): Promise<void> {
    for (const userId of new Set(rows.map(({ user_id }) => user_id))) {
      const wanted = rows
        .filter(({ user_id }) => user_id === userId)
        .map((item) => ({ itemId: item.item_id, givenUrl: item.given_url }));
      await this.database.write((manager) =>
        requestPages(manager, userId, wanted, { priority: PagePriority.Imported }),
      );
    }
  }
}

const none = { waiting: 0, reading: 0, postponed: 0, read: 0, givenUp: 0 };
const FIRST: ItemRow = { user_id: '0', item_id: '0', given_url: '' };
