import { rowWithDefaults } from '../../src/platform/database/entity-columns.js';
import { type ItemRow, ShownItem } from '../../src/reading-list/entities/item.entity.js';

/** A row of an unread item whose page has not been fetched. The given columns override the defaults. */
export const anItemRow = (columns: Partial<ItemRow> = {}): ItemRow =>
  rowWithDefaults(ShownItem, {
    item_id: '4503599627370496',
    time_added: '1',
    time_updated: '1',
    given_url: 'http://example.com/a',
    ...columns,
  });
