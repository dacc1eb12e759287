import {
  asProperties,
  assigned,
  columnsFor,
  namesOf,
  rowSet,
} from '../../platform/database/entity-columns.js';
import { ItemDetails } from '../entities/item-details.entity.js';

export const DETAIL_COLUMNS = columnsFor(ItemDetails, [
  'itemId',
  'originUrl',
  'publishedAt',
  'authors',
  'language',
  'previewPicture',
]);

export const FIND_DETAILS = `
    SELECT ${asProperties(DETAIL_COLUMNS)} FROM item_details
    WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;

/** Inserts or updates the data about the pages of several items in one statement. */
export const WRITE_DETAILS = `
    INSERT INTO item_details (user_id, ${namesOf(DETAIL_COLUMNS)})
    SELECT $1, ${namesOf(DETAIL_COLUMNS)} FROM ${rowSet(DETAIL_COLUMNS, 2)}
    ON CONFLICT (user_id, item_id) DO UPDATE SET ${assigned(DETAIL_COLUMNS.slice(1), 'excluded')}`;

/**
 * Copies data about pages to columns of `items`, so that reading a list needs no join. Does not set the version of the
 * items, because an earlier statement of the same transaction has set the version.
 *
 * OFFSET 0 keeps the expressions inside of the subquery. Citus rejects an UPDATE that calls a STABLE function, such as
 * `json_build_object`, with a column or in CASE.
 */
export const SHOW_DETAILS = `
    UPDATE items SET lang = shown.lang, top_image_url = shown.top_image_url, media = shown.media
    FROM (
      SELECT item.item_id, coalesce(details.language, item.lang) AS lang,
        coalesce(details.preview_picture, item.top_image_url) AS top_image_url,
        CASE WHEN details.authors IS NULL THEN item.media ELSE json_build_object('authors', details.authors,
          'images', coalesce(item.media->'images', '[]'::json), 'videos', coalesce(item.media->'videos', '[]'::json))
        END AS media
      FROM items item JOIN item_details details ON details.user_id = $1 AND details.item_id = item.item_id
      WHERE item.user_id = $1 AND item.item_id = ANY ($2::bigint[]) OFFSET 0) shown
    WHERE items.user_id = $1 AND items.item_id = shown.item_id`;
