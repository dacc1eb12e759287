/**
 * The time from the device ($5), but at most the time of the service ($6), because the clock of the device may be
 * ahead. Both times are in milliseconds.
 */
const TIME = 'to_timestamp(least($5::float8, $6::float8) / 1000)';

/**
 * Selects the item of a reading position and locks its key, so that no other transaction can delete the item. Returns
 * no row if the user does not have the item.
 */
const OF_ITEM = 'FROM items WHERE user_id = $1 AND item_id = $2 FOR KEY SHARE';

/**
 * Stores a reading position unless the stored position is later. The order in which requests arrive therefore does not
 * matter. This is raw SQL, because TypeORM does not support an upsert with a condition.
 */
export const KEEP_POSITION = `
    INSERT INTO reading_positions AS there (user_id, item_id, fraction, paragraph, updated_at)
    SELECT user_id, item_id, $3::real, $4::integer, ${TIME} ${OF_ITEM}
    ON CONFLICT (user_id, item_id) DO UPDATE
      SET fraction = excluded.fraction, paragraph = excluded.paragraph, updated_at = excluded.updated_at
      WHERE there.updated_at <= excluded.updated_at
    RETURNING item_id`;
