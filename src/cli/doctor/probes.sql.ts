/** A statement whose response takes only the time of the connection. */
export const ROUND_TRIP = 'SELECT 1';

/**
 * Writes a row that the same transaction deletes. The commit waits for the disk of the write-ahead log, and for a
 * standby if the server commits synchronously.
 */
export const WRITE_ROW = `
  INSERT INTO call_counters (key, allowed, taken, lease, ends_at) VALUES ($1, 0, 0, 0, now())`;
export const DELETE_ROW = 'DELETE FROM call_counters WHERE key = $1';
