import pg from 'pg';

import { until } from './processes.js';
import type { TestDatabase } from './test-database.js';

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** A transaction that holds the lock on a row, and changes it while another statement waits for the lock. */
interface HeldRow {
  readonly lock: string;
  readonly change: string;
  readonly values: unknown[];
  /** Sends a request whose statement waits for the lock. */
  readonly waiting: () => Promise<unknown>;
}

/** Runs the transaction, and waits for the end of the request. Returns the first row of the change. */
export async function whileHeld<Row extends pg.QueryResultRow>(
  { url, query }: TestDatabase,
  { lock, change, values, waiting }: HeldRow,
): Promise<Row | undefined> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(lock, values);
    const answer = waiting();
    await until(async () => (await query(WAITING)).length > 0);
    const { rows } = await holder.query<Row>(change, values);
    await holder.query('COMMIT');
    await answer;
    return rows[0];
  } finally {
    await holder.end();
  }
}
