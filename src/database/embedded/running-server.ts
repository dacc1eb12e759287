import { setTimeout as pause } from 'node:timers/promises';

import { connectionTo, type EmbeddedConnection, MAINTENANCE_DATABASE } from './connection.js';
import type { Server } from './server.js';
import { Session } from './session.js';

const PAUSE_MS = 400;
/** What the log says while processes of a killed server are still there: for four seconds at most. */
const REMAINS = /pre-existing shared memory block|lock file ".*" already exists/;
const ATTEMPTS_TO_START = 10;
/** Another process's server may be recovering, or on its way down: a minute. */
const ATTEMPTS_TO_REACH = 150;

/** Starts the server unless it runs, and connects to it once. */
export async function runningServer(
  server: Server,
  options: () => Promise<string>,
): Promise<EmbeddedConnection> {
  for (let attempt = 1; ; attempt += 1) {
    if (!(await server.isRunning())) {
      await start(server, await options());
    }
    try {
      return await reached(server);
    } catch (cause) {
      if (attempt === ATTEMPTS_TO_REACH) {
        throw await failure(server, 'cannot be reached: end it where it was started', cause);
      }
    }
    await pause(PAUSE_MS);
  }
}

async function start(server: Server, options: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await server.start(options);
      return;
    } catch (cause) {
      // A long recovery outlasts the patience of pg_ctl, and goes on.
      if (await server.isRunning()) {
        return;
      }
      if (attempt === ATTEMPTS_TO_START || !REMAINS.test(await server.lastWords())) {
        throw await failure(server, 'did not start: mend what its log says', cause);
      }
    }
    await pause(PAUSE_MS);
  }
}

async function reached(server: Server): Promise<EmbeddedConnection> {
  const connection = await connectionTo(server.home.cluster);
  await Session.use({ ...connection, database: MAINTENANCE_DATABASE }, (session) =>
    session.ask('SELECT 1'),
  );
  return connection;
}

async function failure(server: Server, problem: string, cause: unknown): Promise<Error> {
  const { cluster, log } = server.home;
  return new Error(
    `the PostgreSQL server of ${cluster} ${problem}, or set DATABASE_URL to another server;` +
      ` ${log} ends with\n${await server.lastWords()}`,
    { cause },
  );
}
