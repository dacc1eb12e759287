/** $5 is the time of the device in milliseconds, $6 that of the service: a clock that is ahead counts for no more. */
const TIME = 'to_timestamp(least($5::float8, $6::float8) / 1000)';

/** The key is locked, so that the item is not deleted meanwhile; no row for an item that the user does not have. */
const OF_ITEM = 'FROM items WHERE user_id = $1 AND item_id = $2 FOR KEY SHARE';

/**
 * Kept only if no later position is there, whichever of two that come at once is written first: an upsert with a
 * condition, which TypeORM lacks.
 */
export const KEEP_POSITION = `
    INSERT INTO reading_positions AS there (user_id, item_id, fraction, paragraph, updated_at)
    SELECT user_id, item_id, $3::real, $4::integer, ${TIME} ${OF_ITEM}
    ON CONFLICT (user_id, item_id) DO UPDATE
      SET fraction = excluded.fraction, paragraph = excluded.paragraph, updated_at = excluded.updated_at
      WHERE there.updated_at <= excluded.updated_at
    RETURNING item_id`;
