/*
 * The statements for the pictures of private pages in the trash (docs/decisions/0139). They are raw SQL, because TypeORM
 * has no INSERT … SELECT. In all of them, $1 is the user and $2 are item ids. The transaction must have locked the list.
 */

/** Notes the pictures of the pages that belong only to one of the items, before these pages are deleted. */
export const KEEP_PICTURES = `
  INSERT INTO trashed_pictures (user_id, item_id, picture_id)
  SELECT page.owner_id, page.item_id, picture_id FROM pages page JOIN page_pictures USING (page_id)
  WHERE page.owner_id = $1 AND page.item_id = ANY ($2::bigint[])`;

/** Links the pictures to the restored pages, so that no sweep deletes them before the pages are listed again. */
export const RETURN_PICTURES = `
  INSERT INTO page_pictures (page_id, picture_id)
  SELECT page.page_id, kept.picture_id FROM trashed_pictures kept
  JOIN pages page ON page.owner_id = $1 AND page.item_id = kept.item_id
  WHERE kept.user_id = $1 AND kept.item_id = ANY ($2::bigint[])
  ON CONFLICT DO NOTHING`;

export const FORGET_PICTURES = `
  DELETE FROM trashed_pictures WHERE user_id = $1 AND item_id = ANY ($2::bigint[])`;
