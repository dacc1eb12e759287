import {
  ANNOTATION_BYTES,
  COUNTED_PAGE_COLUMNS,
  DETAILS_BYTES,
  ITEM_BYTES,
  OWN_PAGE_BYTES,
  TAG_BYTES,
} from './stored-size.js';

/**
 * Returns an SQL expression for the total size of columns in bytes. octet_length returns the size of a large text
 * without reading the text.
 */
const bytes = (...columns: readonly string[]): string =>
  columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ');

const total = (size: string, from: string): string =>
  `(SELECT coalesce(sum(${size}), 0) FROM ${from} = $1)`;

const OF_PAGE = COUNTED_PAGE_COLUMNS.map(({ name, type }) =>
  type === 'json' ? `${name}::text` : name,
);

/** SQL expressions for the bytes of one row, with the columns of its table. */
export const ITEM_SIZE = `${ITEM_BYTES} + ${TAG_BYTES} * cardinality(tags) + ${bytes('given_url', 'given_title', 'note', ...OF_PAGE)}`;

export const ANNOTATION_SIZE = `${ANNOTATION_BYTES} + ${bytes(
  ...['annotation_id', 'quote', 'patch', 'version', 'note', 'ranges::text'],
)}`;

export const DETAILS_SIZE = `${DETAILS_BYTES} + ${bytes('origin_url', 'authors::text', 'preview_picture')}`;

export const OWN_PAGE_SIZE = `${OWN_PAGE_BYTES} + ${bytes('url', 'content::text', 'article')}`;

/**
 * Measures the size of a list by the rules in stored-size.ts. This is raw SQL, because TypeORM cannot add up sizes from
 * several tables.
 */
export const MEASURE_LIST = `
    SELECT (${total(ITEM_SIZE, 'items WHERE user_id')} + ${total(ANNOTATION_SIZE, 'annotations WHERE user_id')}
      + ${total(DETAILS_SIZE, 'item_details WHERE user_id')} + ${total('bytes', 'deleted_items WHERE user_id')}
      + ${total('bytes', 'snapshots WHERE user_id')})::float8 AS bytes`;

/**
 * Measures the size of the pages that belong to one user. Pages and lists may be on different
 * database servers, so one statement cannot measure both.
 */
export const MEASURE_PAGES = `
    SELECT (${total(bytes('html'), 'sent_pages WHERE user_id')}
      + ${total(OWN_PAGE_SIZE, 'pages WHERE owner_id')})::float8 AS bytes`;
