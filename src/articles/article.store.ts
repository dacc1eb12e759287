import type { EntityManager } from 'typeorm';

import { run } from '../database/statements.js';
import type { Address } from '../reading-list/list/address.js';
import { findItemAt, findItems } from '../reading-list/list/find-items.js';
import type { ItemRow } from '../reading-list/list/item-row.js';
import type { PageRecord } from '../resolver/page-record.js';

/** A page as the resolver has stored it. */
export interface StoredPage {
  readonly content: PageRecord;
  /** Compressed; null for a page without an article. */
  readonly article: Buffer | null;
  readonly fetched_at: Date;
  readonly first_fetched_at: Date;
}

/** Devices ask by what they were shown, which may be where a redirect led. */
const BY_RESOLVED_URL = `
    SELECT item_id FROM items
    WHERE user_id = $1 AND md5(resolved_url)::uuid = md5($2)::uuid AND resolved_url = $2
    ORDER BY added_order DESC, item_id DESC LIMIT 1`;

const PAGE = `
    SELECT content, article, fetched_at, first_fetched_at FROM pages WHERE page_id = $1 AND content IS NOT NULL`;

const IS_WAITING = `SELECT 1 AS waits FROM page_requests WHERE user_id = $1 AND item_id = $2`;

/** The items of one user and the pages behind them. */
export class ArticleStore {
  constructor(
    private readonly manager: EntityManager,
    private readonly userId: string,
  ) {}

  /** The item that was saved under the URL, else one whose page lies there. */
  async findItem(address: Address): Promise<ItemRow | undefined> {
    return (
      (await findItemAt(this.manager, this.userId, address)) ??
      (await this.resolved(address.givenUrl))
    );
  }

  async findPage({ resolved_id: pageId }: ItemRow): Promise<StoredPage | undefined> {
    const [page] = await run<StoredPage & Record<string, unknown>>(this.manager, {
      text: PAGE,
      values: [pageId],
    });
    return page;
  }

  /** False when nobody is going to read the page: it was read, or given up. */
  async isWaitingForPage({ item_id: itemId }: ItemRow): Promise<boolean> {
    const values = [this.userId, itemId];
    return (await run(this.manager, { text: IS_WAITING, values })).length > 0;
  }

  private async resolved(url: string): Promise<ItemRow | undefined> {
    const [row] = await run<{ item_id: string }>(this.manager, {
      text: BY_RESOLVED_URL,
      values: [this.userId, url],
    });
    const found = await findItems(
      this.manager,
      this.userId,
      row === undefined ? [] : [row.item_id],
    );
    return found.get(row?.item_id ?? '');
  }
}
