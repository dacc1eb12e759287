/**
 * Kept only while the user has the item, and only if no later position is there: an upsert with a condition, which
 * TypeORM lacks. The key of the item is locked, so that it is not deleted meanwhile. $5 is the time of the device in
 * milliseconds, $6 that of the service.
 */
export const KEEP_POSITION = `
    INSERT INTO reading_positions AS there (user_id, item_id, fraction, paragraph, updated_at)
    SELECT user_id, item_id, $3::real, $4::integer, to_timestamp(least($5::float8, $6::float8) / 1000)
    FROM items WHERE user_id = $1 AND item_id = $2 FOR KEY SHARE
    ON CONFLICT (user_id, item_id) DO UPDATE
      SET fraction = excluded.fraction, paragraph = excluded.paragraph, updated_at = excluded.updated_at
      WHERE there.updated_at <= excluded.updated_at
    RETURNING item_id`;
