import pg from 'pg';

import { until } from './processes.js';
import type { TestDatabase } from './test-database.js';

/** A transaction that holds the lock on a row, and changes it while another statement waits for the lock. */
interface HeldRow {
  readonly lock: string;
  /** A statement, or what sends one. Citus rejects the clock of the database in a statement that changes a list. */
  readonly change: string | ((holder: pg.Client) => Promise<pg.QueryResult>);
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
    const { rows } =
      typeof change === 'string' ? await holder.query<Row>(change, values) : await change(holder);
    await holder.query('COMMIT');
    await answer;
    return rows[0];
  } finally {
    await holder.end();
  }
}
