import type pg from 'pg';

/** The stamps of a list run ahead of the clock where it changes more than once a second. */
const AHEAD_SECONDS = 3600;

const ERA = `
  INSERT INTO sync_eras (begins)
  SELECT greatest(ceil(extract(epoch FROM clock_timestamp()))::bigint + ${AHEAD_SECONDS}, max(begins) + 1)
  FROM sync_eras`;

/** What a list tells from now on is not before its era. */
const STAMPS = `UPDATE lists SET stamp = greatest(stamp, (SELECT max(begins) FROM sync_eras))`;

/**
 * Has every client read its list anew: each `since` that was given before may be of a list that is not in the backup
 * (docs/decisions/0033).
 */
export async function beginEra(client: pg.ClientBase): Promise<void> {
  await client.query('DELETE FROM page_cursors');
  await client.query(ERA);
  await client.query(STAMPS);
}
