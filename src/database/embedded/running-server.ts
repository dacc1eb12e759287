import { setTimeout as pause } from 'node:timers/promises';

import { connectionTo, type EmbeddedConnection, MAINTENANCE_DATABASE } from './connection.js';
import type { Home } from './home.js';
import type { Server } from './server.js';
import { Session } from './session.js';

const PAUSE_MS = 400;
/** After a kill -9 the old backends hold the shared memory for a moment. */
const ATTEMPTS_TO_START = 10;
/** Another process's server may be recovering, or on its way down: a minute. */
const ATTEMPTS_TO_REACH = 150;

/** Starts the server unless it runs, and connects to it once. */
export async function runningServer(
  server: Server,
  home: Home,
  options: string,
): Promise<EmbeddedConnection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await reached(server, home, options);
    } catch (cause) {
      const isRunning = await server.isRunning();
      if (attempt >= (isRunning ? ATTEMPTS_TO_REACH : ATTEMPTS_TO_START)) {
        throw await failure(server, { home, isRunning, cause });
      }
    }
    await pause(PAUSE_MS);
  }
}

async function reached(server: Server, home: Home, options: string): Promise<EmbeddedConnection> {
  if (!(await server.isRunning())) {
    await server.start(options);
  }
  const connection = await connectionTo(home.cluster);
  await Session.use({ ...connection, database: MAINTENANCE_DATABASE }, (session) =>
    session.ask('SELECT 1'),
  );
  return connection;
}

interface Failure {
  readonly home: Home;
  readonly isRunning: boolean;
  readonly cause: unknown;
}

async function failure(server: Server, { home, isRunning, cause }: Failure): Promise<Error> {
  const problem = isRunning
    ? 'runs but cannot be reached: end it from where it was started'
    : 'did not start: mend what its log says';
  return new Error(
    `the PostgreSQL server of ${home.cluster} ${problem}, or set DATABASE_URL to another server;` +
      ` ${home.log} ends with\n${await server.lastWords()}`,
    { cause },
  );
}
