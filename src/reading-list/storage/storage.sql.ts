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
 * Measures the size of the pages that belong to one user, and of the stored pictures of the user. Pages and lists may be
 * on different database servers, so one statement cannot measure both.
 */
export const MEASURE_PAGES = `
    SELECT (${total(bytes('html'), 'sent_pages WHERE user_id')}
      + ${total(OWN_PAGE_SIZE, 'pages WHERE owner_id')}
      + ${total('bytes', 'picture_shares WHERE is_counted AND user_id')})::float8 AS bytes`;

/*
 * The statements for pictures (docs/decisions/0144). The table of the shares is local, and the lists may be on other
 * servers, so the pages of a list are a value of the second statement.
 */

export const HAS_PICTURES = `SELECT FROM picture_shares WHERE user_id = $1 LIMIT 1`;

/** Selects the pages of a list and of its trash. */
export const PAGES_OF_LIST = `
    SELECT resolved_id AS "pageId" FROM items WHERE user_id = $1 AND resolved_id > 0
    UNION SELECT (item->>'resolved_id')::bigint FROM deleted_items WHERE user_id = $1`;

/**
 * Deletes the pictures of the user $1 that are in none of the pages $2, and in no private page in the trash. With EXCEPT,
 * the time grows in proportion to the pictures. For NOT EXISTS, PostgreSQL compares each share with each page if it
 * expects few pages.
 */
export const DELETE_UNUSED_SHARES = `
    DELETE FROM picture_shares WHERE user_id = $1 AND picture_id IN (
      SELECT picture_id FROM picture_shares WHERE user_id = $1
      EXCEPT SELECT picture_id FROM page_pictures WHERE page_id = ANY ($2::bigint[])
      EXCEPT SELECT picture_id FROM trashed_pictures WHERE user_id = $1)`;

/** Returns the size of the stored pictures of a user, and whether the storage has no room for more of them. */
export const PICTURE_USAGE = `
    SELECT ${total('bytes', 'picture_shares WHERE is_counted AND user_id')}::float8 AS "pictureBytes",
      EXISTS (SELECT FROM picture_users WHERE user_id = $1 AND is_full) AS "isFullForPictures"`;

/** The maximum number of pages that wait besides the changed items. Further ones are not listed again. */
const PAGES_NOTED = 1000;

/**
 * Notes that items of the user $1 have new pages. $2 are the pages of those items that did not change. If the list will
 * be followed from its beginning, these pages need no note.
 */
export const NOTE_NEW_PAGES = `
    INSERT INTO picture_users AS one (user_id) VALUES ($1)
    ON CONFLICT (user_id) DO UPDATE SET changes = one.changes + 1,
      page_ids = CASE WHEN one.version > 0 AND cardinality(one.page_ids) < ${PAGES_NOTED}
        THEN one.page_ids || $2::bigint[] ELSE one.page_ids END
    WHERE one.changes = one.handled OR cardinality($2::bigint[]) > 0`;
