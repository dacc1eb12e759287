import { Any, IsNull, Not } from 'typeorm';

import { CustomRepository } from '../../platform/database/custom-repository.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { Page } from './entities/page.entity.js';
import { ALLOW_ALL_AGAIN, HELD_PAGES } from './failed-page.sql.js';

/** Pages that could not be fetched. */
export class FailedPageRepository extends CustomRepository<Page> {
  static readonly entity = Page;

  /**
   * Allows the pages of a user's items to be fetched again immediately. Returns the keys of the pages
   * whose last attempt was less than a minute ago. Requires a transaction.
   */
  async allowAllAgain(
    userId: string,
    pageKeys: readonly Buffer[],
    itemIds: readonly string[],
  ): Promise<Buffer[]> {
    await queryRows(this.manager, ALLOW_ALL_AGAIN, [pageKeys, userId, itemIds]);
    const held = await queryRows<{ pageKey: Buffer }>(this.manager, HELD_PAGES, [pageKeys]);
    return held.map(({ pageKey }) => pageKey);
  }

  /** Returns the reasons why the last attempts to fetch pages failed. Leaves out other pages. */
  async failuresOf(
    pageKeys: readonly Buffer[],
  ): Promise<{ readonly pageKey: Buffer; readonly failure: string }[]> {
    const pages = await this.find({
      where: { pageKey: Any([...pageKeys]), failure: Not(IsNull()) },
      select: { pageId: true, pageKey: true, failure: true },
    });
    return pages.flatMap(({ pageKey, failure }) =>
      failure === null ? [] : [{ pageKey, failure }],
    );
  }
}
