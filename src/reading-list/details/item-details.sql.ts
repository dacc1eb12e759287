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
 */
export const SHOW_DETAILS = `
    UPDATE items SET lang = coalesce(details.language, lang),
      top_image_url = coalesce(details.preview_picture, top_image_url),
      media = CASE WHEN details.authors IS NULL THEN media ELSE json_build_object('authors', details.authors,
        'images', coalesce(media->'images', '[]'::json), 'videos', coalesce(media->'videos', '[]'::json)) END
    FROM item_details details
    WHERE items.user_id = $1 AND items.item_id = ANY ($2::bigint[])
      AND details.user_id = items.user_id AND details.item_id = items.item_id`;
