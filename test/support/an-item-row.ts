import type { ItemRow } from '../../src/reading-list/list/item-row.js';

/** A row of an unread item whose page is not resolved, with the given columns. */
export const anItemRow = (columns: Partial<ItemRow> = {}): ItemRow => ({
  item_id: '4503599627370496',
  status: 0,
  favorite: 0,
  time_added: '1',
  time_updated: '1',
  time_read: '0',
  time_favorited: '0',
  given_url: 'http://example.com/a',
  given_title: '',
  prefers_given_title: false,
  resolved_id: '0',
  resolved_url: '',
  resolved_title: '',
  excerpt: '',
  lang: '',
  is_article: 0,
  is_index: 0,
  has_image: 0,
  has_video: 0,
  word_count: 0,
  top_image_url: '',
  media: null,
  tags: [],
  ...columns,
});
