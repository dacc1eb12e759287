/**
 * Locks items until the transaction ends. A reading position is stored without a lock of the list, but with a lock of
 * its item. This lock therefore waits for positions that are being stored, and later positions wait for it.
 */
export const LOCK_ITEMS = `
    SELECT item_id FROM items WHERE user_id = $1 AND item_id = ANY ($2::bigint[]) ORDER BY item_id FOR UPDATE`;

/**
 * Returns the SQL condition that the user reads or shares an item, has a snapshot of it, or has merged another item into
 * it, although its row does not show it.
 */
export const isInUse = (itemId: string): string => `(
      EXISTS (SELECT FROM shared_items s WHERE s.user_id = $1 AND s.item_id = ${itemId})
      OR EXISTS (SELECT FROM snapshots s WHERE s.user_id = $1 AND s.item_id = ${itemId})
      OR EXISTS (SELECT FROM reading_positions p WHERE p.user_id = $1 AND p.item_id = ${itemId} AND p.fraction > 0)
      OR ${itemId} IN (SELECT t.moved_to FROM tombstones t WHERE t.user_id = $1 AND t.moved_to IS NOT NULL))`;

/** Selects those of the items $2 that are in use. */
export const IN_USE = `
    SELECT item_id AS "itemId" FROM unnest($2::bigint[]) AS one (item_id) WHERE ${isInUse('one.item_id')}`;
