import { isInUse } from '../../reading-list/imports/items-in-use.sql.js';

/** The recorded batches of the import $2. */
const RECORDED = 'FROM import_changes WHERE user_id = $1 AND import_id = $2';

/**
 * Counts the items that an undo of the import $2 would remove, restore and keep. $3 is the time of the beginning of the
 * import in Unix seconds, and $4 are the items for which a client has sent a page.
 *
 * Instead of the fingerprint of an item, compares its columns. A change by the user sets `time_updated`, and clears
 * `imported_as_of`. An item is added by the import if one batch with the item has not recorded earlier values.
 *
 * This is raw SQL, because it reads two arrays and a JSON object per batch. For 100,000 items, it takes 0.4 to 0.8 s.
 */
export const PREVIEW = `
    WITH touched AS MATERIALIZED (
      SELECT item_id, sum(batches) > 0 AS is_added FROM (
        SELECT unnest(item_ids) AS item_id, 1 AS batches ${RECORDED}
        UNION ALL SELECT jsonb_object_keys(earlier)::bigint, -1 ${RECORDED}) one
      GROUP BY item_id),
    later AS MATERIALIZED (
      SELECT DISTINCT unnest(item_ids) AS item_id FROM import_changes WHERE user_id = $1 AND import_id > $2),
    own_pages AS MATERIALIZED (SELECT unnest($4::bigint[]) AS item_id),
    judged AS (
      SELECT is_added,
        i.item_id IS NULL OR later.item_id IS NOT NULL OR (i.imported_as_of IS NULL AND i.time_updated >= $3)
          OR (is_added AND (own_pages.item_id IS NOT NULL OR ${isInUse('i.item_id')})) AS is_kept
      FROM touched
        LEFT JOIN items i ON i.user_id = $1 AND i.item_id = touched.item_id
        LEFT JOIN later ON later.item_id = touched.item_id
        LEFT JOIN own_pages ON own_pages.item_id = touched.item_id
      WHERE i.item_id IS NOT NULL OR EXISTS (
        SELECT FROM tombstones t WHERE t.user_id = $1 AND t.item_id = touched.item_id AND t.moved_to IS NOT NULL))
    SELECT count(*) FILTER (WHERE is_added AND NOT is_kept)::int AS removed,
      count(*) FILTER (WHERE NOT is_added AND NOT is_kept)::int AS restored,
      count(*) FILTER (WHERE is_kept)::int AS kept
    FROM judged`;
