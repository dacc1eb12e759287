import { randomUUID } from 'node:crypto';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { allowLongStatements, queryRows } from '../../platform/database/query-rows.js';
import { Page } from '../resolver/entities/page.entity.js';
import { SERIALISE_CLAIMS } from '../resolver/resolution.sql.js';
import {
  CLAIM_CHECKS,
  GONE_AMONG,
  GONE_PAGES,
  MARKED_ITEMS,
  PLAN_CHECKS,
  RECORD_FOUND,
  RECORD_MISSING,
  RECORD_UNKNOWN,
  UNMARKED_ITEMS,
} from './link-check.sql.js';

/** A page that this instance has leased to check it. */
export interface LinkCheck {
  readonly pageId: string;
  readonly lease: string;
  readonly url: string;
}

/** The place of an item in the order of all items. */
export interface ItemPlace {
  readonly userId: string;
  readonly itemId: string;
}

/** An item with a page that is gone, or was gone. */
export interface ItemOfPage extends ItemPlace {
  readonly pageId: string;
}

interface GonePage {
  readonly pageId: string;
  /** In Unix seconds. */
  readonly goneSince: string;
}

type Recorded = { readonly isGone: boolean } | undefined;

/** The time limit in seconds for the daily search for items of gone pages. The search scans all items. */
const LONGEST_SCAN_SECONDS = 600;

/** The checks of whether stored pages still exist. */
export class LinkCheckRepository extends CustomRepository<Page> {
  static readonly entity = Page;

  async plan(): Promise<void> {
    await queryRows(this.manager, PLAN_CHECKS);
  }

  /** Leases due pages, at most one per host. Requires a transaction. */
  async claim(): Promise<LinkCheck[]> {
    await queryRows(this.manager, SERIALISE_CLAIMS);
    return queryRows(this.manager, CLAIM_CHECKS, [randomUUID()]);
  }

  /** Releases the leases of pages whose checks were aborted. */
  async release(lease: string): Promise<void> {
    await this.update({ lease }, { leasedUntil: null, lease: null });
  }

  /** Returns undefined if the lease has passed to another worker. */
  recordFound(check: LinkCheck): Promise<Recorded> {
    return this.record(RECORD_FOUND, check);
  }

  /** Returns undefined if the lease has passed to another worker. */
  recordMissing(check: LinkCheck): Promise<Recorded> {
    return this.record(RECORD_MISSING, check);
  }

  /** Returns undefined if the lease has passed to another worker. */
  recordUnknown(check: LinkCheck, nextInSeconds: number): Promise<Recorded> {
    return this.record(RECORD_UNKNOWN, check, [nextInSeconds]);
  }

  /** Returns the next gone pages whose ids are greater than `afterPageId`. */
  gonePages(afterPageId: string): Promise<GonePage[]> {
    return queryRows(this.manager, GONE_PAGES, [afterPageId]);
  }

  /** Returns the next items of these gone pages that are not marked yet. Requires a transaction. */
  async unmarkedItems(
    pageIds: readonly string[],
    { userId, itemId }: ItemPlace,
    limit: number,
  ): Promise<ItemOfPage[]> {
    await allowLongStatements(this.manager, LONGEST_SCAN_SECONDS);
    return queryRows(this.manager, UNMARKED_ITEMS, [userId, itemId, limit, pageIds]);
  }

  /** Returns the next marked items. Requires a transaction. */
  async markedItems({ userId, itemId }: ItemPlace, limit: number): Promise<ItemOfPage[]> {
    await allowLongStatements(this.manager, LONGEST_SCAN_SECONDS);
    return queryRows(this.manager, MARKED_ITEMS, [userId, itemId, limit]);
  }

  /** Returns those of the items whose pages are not gone. */
  async withoutGonePage(items: readonly ItemOfPage[]): Promise<ItemOfPage[]> {
    const pageIds = [...new Set(items.map(({ pageId }) => pageId))];
    const gone = await queryRows<Pick<ItemOfPage, 'pageId'>>(this.manager, GONE_AMONG, [pageIds]);
    const isGone = new Set(gone.map(({ pageId }) => pageId));
    return items.filter(({ pageId }) => !isGone.has(pageId));
  }

  private async record(
    text: string,
    { pageId, lease }: LinkCheck,
    values: readonly unknown[] = [],
  ): Promise<Recorded> {
    const [row] = await queryRows<{ isGone: boolean }>(this.manager, text, [
      pageId,
      lease,
      ...values,
    ]);
    return row;
  }
}
