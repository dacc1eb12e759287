import { asProperties, columnsOf } from '../../platform/database/entity-columns.js';
import { isUnleased } from '../../platform/jobs/lease.sql.js';
import { queueStatement } from '../../platform/jobs/queue-state.js';
import { ImportJob } from '../entities/import-job.entity.js';

/**
 * The duration of an import's lease. The process renews the lease every few seconds, so the lease expires only if the
 * process has crashed or was blocked.
 */
export const IMPORT_LEASE = `interval '15 seconds'`;
/** An upload is abandoned if no data is received for this time. */
export const UPLOAD_LEASE = `interval '60 seconds'`;
/** The time for which an ended import is kept, so that the user can read its result. */
const KEPT = `interval '30 days'`;

/** Stores a part of an uploaded file, and renews the lease of the upload. Does nothing if the upload was abandoned. */
export const KEEP_CHUNK = `
    WITH alive AS (
      UPDATE imports SET leased_until = now() + ${UPLOAD_LEASE} WHERE id = $1 AND state = 'uploading' RETURNING id
    )
    INSERT INTO import_chunks (import_id, place, bytes) SELECT id, $2, $3 FROM alive RETURNING place`;

/** The time for which an ended import can be undone. */
const UNDOABLE = `interval '24 hours'`;

/** The column `undo_until` of an import that ends. Undoing an import that has changed nothing has no effect. */
const UNDO_UNTIL = `undo_until = CASE WHEN keeps_changes AND added + changed > 0 THEN now() + ${UNDOABLE} END`;

/** Matches imports that a user can cancel. An undo cannot be cancelled. */
const CANCELLABLE = `id = $1 AND user_id = $2 AND finished_at IS NULL AND state <> 'undoing'`;

/** Returns the number of items that an ended import has added or changed. */
const ITEMS = `added + changed AS items`;

/**
 * Cancels an import and deletes its file. One statement makes both steps atomic, so an ended import never has a file.
 */
export const CANCEL = `
    WITH emptied AS (DELETE FROM import_chunks USING imports
      WHERE import_id = id AND ${CANCELLABLE})
    UPDATE imports SET state = 'cancelled', finished_at = now(), lease = NULL, leased_until = NULL, ${UNDO_UNTIL}
    WHERE ${CANCELLABLE} RETURNING ${ITEMS}`;

/**
 * Ends an import and deletes its file in one statement. Changes nothing if the process no longer holds the lease $1.
 */
export const END = `
    WITH ended AS (
      UPDATE imports SET state = $3, failure = $4, finished_at = now(), lease = NULL, leased_until = NULL,
        ${UNDO_UNTIL}
      WHERE id = $2 AND lease = $1 RETURNING id, ${ITEMS}),
      emptied AS (DELETE FROM import_chunks USING ended WHERE import_id = id)
    SELECT items FROM ended`;

/**
 * Leases an import and returns it in one statement. With two statements, a failure of the second
 * one would leave an unused lease. SKIP LOCKED lets two workers lease two imports at the same time.
 *
 * If the previous process crashed before the rows were counted, increments `readers_ended`, because
 * the file may have caused the crash.
 */
export const CLAIM = `
    UPDATE imports SET lease = $1, leased_until = now() + ${IMPORT_LEASE}, attempts = attempts + 1,
      state = CASE state WHEN 'undoing' THEN state ELSE 'running' END,
      readers_ended = readers_ended + (lease IS NOT NULL AND row_count IS NULL)::integer
    WHERE id = (
      SELECT id FROM imports
      WHERE finished_at IS NULL AND state <> 'uploading' AND ${isUnleased('leased_until')}
        AND ($2::bigint IS NULL OR id = $2)
      ORDER BY attempts, created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING ${asProperties(columnsOf(ImportJob))}`;

/**
 * Deletes an import that ended more than 30 days ago, or an abandoned upload. SKIP LOCKED skips imports that another
 * process is deleting or leasing.
 */
export const SWEEP = `
    DELETE FROM imports WHERE id = (
      SELECT id FROM imports
      WHERE (finished_at < now() - ${KEPT} AND undo_until IS NULL) OR (state = 'uploading' AND ${isUnleased('leased_until')})
      LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id`;

/**
 * Updates the counts and renews the lease of an import. Changes nothing if the process no longer holds the lease. The
 * statement is raw SQL, because TypeORM cannot return the sum of several columns.
 */
export const ADVANCE = `
    UPDATE imports SET rows_done = $3, added = added + $4, changed = changed + $5, unchanged = unchanged + $6,
      deleted = deleted + $7, refused = refused + $8, incomplete = incomplete + $9, merged = merged + $10, attempts = 0,
      readers_ended = 0, leased_until = now() + ${IMPORT_LEASE}
    WHERE id = $2 AND lease = $1 RETURNING refused + incomplete + merged AS "rowErrors"`;

/**
 * Inserts row errors of an import. Each parameter is an array, so the same prepared statement works for any number of
 * row errors.
 */
export const INSERT_ROW_ERRORS = `
    INSERT INTO import_remarks (import_id, row_number, path, line, is_refused, is_merged, reason, excerpt)
    SELECT $1, *
    FROM unnest($2::integer[], $3::text[], $4::integer[], $5::boolean[], $6::boolean[], $7::text[], $8::text[])`;

/** The imports that are waiting. A running import has a lease. */
const WAITING = `imports
      WHERE finished_at IS NULL AND state <> 'uploading' AND ${isUnleased('leased_until')}`;

export const IMPORT_QUEUE = queueStatement({
  queue: 'imports',
  rows: WAITING,
  oldest: `SELECT min(created_at) FROM ${WAITING}`,
});
