import { CustomRepository } from '../../platform/database/custom-repository.js';
import { rowSetValues } from '../../platform/database/entity-columns.js';
import { queryRows } from '../../platform/database/query-rows.js';
import { ItemDetails } from '../entities/item-details.entity.js';
import { DETAIL_COLUMNS, FIND_DETAILS, SHOW_DETAILS, WRITE_DETAILS } from './item-details.sql.js';
import type { StoredDetails } from './tracked-details.js';

/** Stores data that clients have sent about the pages of items, such as the language. */
export class ItemDetailsRepository extends CustomRepository<ItemDetails> {
  static readonly entity = ItemDetails;

  /** Returns the data about the pages of those items that have such data, in any order. */
  async ofItems(userId: string, itemIds: readonly string[] = []): Promise<StoredDetails[]> {
    return itemIds.length === 0
      ? []
      : queryRows<StoredDetails>(this.manager, FIND_DETAILS, [userId, itemIds]);
  }

  /**
   * Writes data about pages, and copies them to the rows of the items. The caller must write the
   * items first.
   */
  async write(userId: string, details: readonly StoredDetails[]): Promise<void> {
    if (details.length === 0) {
      return;
    }
    const rows = details.map(({ authors, ...row }) => ({
      ...row,
      authors: authors && JSON.stringify(authors),
    }));
    await Promise.all([
      queryRows(this.manager, WRITE_DETAILS, [userId, ...rowSetValues(DETAIL_COLUMNS, rows)]),
      this.show(
        userId,
        details.map(({ itemId }) => itemId),
      ),
    ]);
  }

  /**
   * Copies data about pages to the items. A language, picture or author from a client replaces the value of the page.
   */
  async show(userId: string, itemIds: readonly string[]): Promise<void> {
    await queryRows(this.manager, SHOW_DETAILS, [userId, itemIds]);
  }
}
