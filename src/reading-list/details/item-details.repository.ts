import { Repository } from 'typeorm';

import { rowSetValues } from '../../platform/database/entity-columns.js';
import { queryRows } from '../../platform/database/query-rows.js';
import type { ItemDetails } from '../entities/item-details.entity.js';
import { DETAIL_COLUMNS, FIND_DETAILS, SHOW_DETAILS, WRITE_DETAILS } from './item-details.sql.js';
import type { StoredDetails } from './tracked-details.js';

/** Details that clients sent for the pages of items. */
export class ItemDetailsRepository extends Repository<ItemDetails> {
  /** Returns the details of those items that have details, in no particular order. */
  async ofItems(userId: string, itemIds: readonly string[] = []): Promise<StoredDetails[]> {
    return itemIds.length === 0
      ? []
      : queryRows<StoredDetails>(this.manager, FIND_DETAILS, [userId, itemIds]);
  }

  /** Writes details and copies the values to the rows of the items, which must already be written. */
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

  /** Copies details to the items. The language, picture and authors from a client win over the values of the page. */
  async show(userId: string, itemIds: readonly string[]): Promise<void> {
    await queryRows(this.manager, SHOW_DETAILS, [userId, itemIds]);
  }
}
