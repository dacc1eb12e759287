import pg from 'pg';

import { until } from './processes.js';
import type { TestDatabase } from './test-database.js';

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
  { url, lockWaits }: TestDatabase,
  { lock, change, values, waiting }: HeldRow,
): Promise<Row | undefined> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(lock, values);
    const answer = waiting();
    await until(async () => (await lockWaits()) > 0);
    const { rows } = await holder.query<Row>(change, values);
    await holder.query('COMMIT');
    await answer;
    return rows[0];
  } finally {
    await holder.end();
  }
}
