// Measures the processor time of a server and its database sessions. Other load on the machine hardly affects it,
// unlike requests per second. Linux only.
import { readdirSync, readFileSync } from 'node:fs';

import pg from 'pg';

const ofThread = (pid, task) =>
  Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'ascii').split(' ')[0]) / 1000;

/** Returns the microseconds of the thread that runs the JavaScript of a process. */
export const mainThread = (pid) => ofThread(pid, pid);

function microseconds(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + ofThread(pid, task), 0);
  } catch {
    return 0;
  }
}

/** Returns a clock for the server process and its database sessions, which are found by application name. */
export async function processorOf(url, { pid, sessions }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    async read() {
      const { rows } = await client.query(
        `SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()`,
        [sessions],
      );
      return {
        server: microseconds(pid),
        database: new Map(rows.map((row) => [row.pid, microseconds(row.pid)])),
      };
    },
    end: () => client.end(),
  };
}

/** Microseconds between two readings. A session that started in between counts fully. */
export const between = (before, after) =>
  after.server -
  before.server +
  [...after.database].reduce((sum, [pid, used]) => sum + used - (before.database.get(pid) ?? 0), 0);
