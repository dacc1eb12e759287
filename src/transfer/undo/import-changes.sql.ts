import { IMPORT_LEASE } from '../import/import.sql.js';

/**
 * Records the changes of a batch of rows. Does nothing if the batch is recorded: the process has then lost the lease of
 * the import. This is raw SQL, because TypeORM would build an entity for each batch.
 */
export const INSERT_CHANGES = `
    INSERT INTO import_changes
      (user_id, import_id, last_row, item_ids, fingerprints, earlier, restored_ids, saved_lists)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`;

const ITEM_IDS = `SELECT DISTINCT item_id AS "itemId" FROM import_changes CROSS JOIN LATERAL unnest(item_ids) item_id`;

/** Selects those of the items $3 that imports after the import $2 have changed. */
export const CHANGED_LATER = `
    ${ITEM_IDS} WHERE user_id = $1 AND import_id > $2 AND item_id = ANY ($3::bigint[])`;

/** Selects those of the items $3 that batches of the import $2 before the row $4 have changed. */
export const CHANGED_BEFORE = `
    ${ITEM_IDS} WHERE user_id = $1 AND import_id = $2 AND item_id = ANY ($3::bigint[]) AND last_row < $4`;

/** Adds the counts of a batch to an undo, and renews its lease. Changes nothing if the process has lost the lease $1. */
export const ADVANCE_UNDO = `
    UPDATE imports SET undo_removed = undo_removed + $3, undo_restored = undo_restored + $4, undo_kept = undo_kept + $5,
      undo_lists = undo_lists + $6, attempts = 0, leased_until = now() + ${IMPORT_LEASE}
    WHERE id = $2 AND lease = $1 RETURNING id`;

/** Deletes at most $3 recorded batches of an import. */
export const DELETE_CHANGES = `
    DELETE FROM import_changes WHERE user_id = $1 AND import_id = $2 AND last_row IN (
      SELECT last_row FROM import_changes WHERE user_id = $1 AND import_id = $2 ORDER BY last_row LIMIT $3)
    RETURNING last_row`;
