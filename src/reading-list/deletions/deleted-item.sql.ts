/** Rows as JSON: what later columns of annotations and pages hold comes back with them. */
export const KEEP_DELETED = `
  INSERT INTO deleted_items (user_id, item_id, deleted_at, item, annotations, own_page, position)
  SELECT item.user_id, item.item_id, now(), row_to_json(item),
    (SELECT coalesce(json_agg(one), '[]') FROM annotations one
     WHERE one.user_id = item.user_id AND one.item_id = item.item_id),
    (SELECT row_to_json(page) FROM pages page
     WHERE page.owner_id = item.user_id AND page.item_id = item.item_id),
    (SELECT row_to_json(place) FROM reading_positions place
     WHERE place.user_id = item.user_id AND place.item_id = item.item_id)
  FROM items item WHERE item.user_id = $1 AND item.item_id = ANY ($2::bigint[])
  ON CONFLICT (user_id, item_id) DO UPDATE SET deleted_at = excluded.deleted_at, item = excluded.item,
    annotations = excluded.annotations, own_page = excluded.own_page, position = excluded.position`;

/** Those that are not in the list again, by the columns of `items`. */
export const FIND_DELETED = `
  SELECT item.* FROM deleted_items deleted
  CROSS JOIN LATERAL json_populate_record(NULL::items, deleted.item) item
  WHERE deleted.user_id = $1 AND deleted.item_id = ANY ($2::bigint[]) AND NOT EXISTS (
    SELECT FROM items here WHERE here.user_id = deleted.user_id AND here.item_id = deleted.item_id)`;

/** What an annotation has that was deleted before annotations had notes. */
const WITHOUT_NOTE = `json_populate_record(NULL::annotations, '{"note": ""}')`;

/** CTEs: four tables in one statement. The items are in the list already. */
export const RETURN_WHAT_BELONGS = `
  WITH taken AS (
    DELETE FROM deleted_items WHERE user_id = $1 AND item_id = ANY ($2::bigint[]) RETURNING annotations, own_page, position
  ), page AS (
    INSERT INTO pages OVERRIDING SYSTEM VALUE
    SELECT page.* FROM taken CROSS JOIN LATERAL json_populate_record(NULL::pages, own_page) page
    WHERE own_page IS NOT NULL ON CONFLICT DO NOTHING
  ), place AS (
    INSERT INTO reading_positions SELECT place.*
    FROM taken CROSS JOIN LATERAL json_populate_record(NULL::reading_positions, taken.position) place
    WHERE taken.position IS NOT NULL ON CONFLICT DO NOTHING
  )
  INSERT INTO annotations SELECT annotation.*
  FROM taken CROSS JOIN LATERAL json_populate_recordset(${WITHOUT_NOTE}, taken.annotations) annotation
  ON CONFLICT DO NOTHING`;

/** An item that comes back is the one that clients knew. What is read of JSON is no entity. */
export const RETURN_NUMBERS = `
  UPDATE items SET number = (deleted.item->>'number')::integer FROM deleted_items deleted
  WHERE deleted.user_id = $1 AND deleted.item_id = ANY ($2::bigint[])
    AND items.user_id = deleted.user_id AND items.item_id = deleted.item_id`;

export const FORGET_DELETED = `DELETE FROM deleted_items WHERE deleted_at < $1`;
