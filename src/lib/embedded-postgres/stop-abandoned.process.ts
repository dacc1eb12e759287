import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

import { usableBinaries } from './binaries.js';
import { serverDirectories } from './clusters.js';
import { connectionTo } from './connection.js';
import { type Home, homeAt } from './home.js';
import { findUse, withStartLock } from './locks.js';
import { Server } from './server.js';
import { stopServer } from './stop-server.js';

/**
 * The time in milliseconds between the end of the service and the stop of its database server. If a
 * supervisor restarts the service in this time, the new process uses the running server.
 */
const GRACE_MS = 20_000;
const LOOK_EVERY_MS = 5_000;

/**
 * Resolves when the service has ended, which closes the standard input of this watchdog process.
 */
async function endOfService(): Promise<void> {
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve).once('error', resolve));
}

/**
 * Stops the database servers that no process uses: the one of the service, and those of an interrupted upgrade. Returns
 * true if the watchdog is no longer needed: the servers have stopped, or another process of Satchel uses them. Returns
 * false if the caller must try again later.
 */
async function stopAbandoned(servers: readonly Server[]): Promise<boolean> {
  return withStartLock(home.directory, async () => {
    const results: boolean[] = [];
    for (const server of servers) {
      results.push(await stopOne(server));
    }
    return results.every(Boolean);
  });
}

async function stopOne(server: Server): Promise<boolean> {
  if (!(await server.isRunning())) {
    return true;
  }
  const use = await findUse(await connectionTo(server.home.cluster));
  if (use === 'none') {
    await stopServer(server);
  }
  return use === 'none' || use === 'satchel';
}

/**
 * Returns true if the watchdog process can end. After an error, such as a full disk, it can end
 * only if no database server runs any more.
 */
async function isOver(): Promise<boolean> {
  // The program pg_ctl can also stop the server of an earlier major version.
  const servers = (await serverDirectories(home.directory)).map(
    (cluster) => new Server({ ...home, cluster }, binaries),
  );
  return stopAbandoned(servers).catch(async () => {
    const running = await Promise.all(servers.map((server) => server.isRunning()));
    return !running.includes(true);
  });
}

const [directory = '', uid = '', gid = ''] = process.argv.slice(2);
await endOfService();
await pause(GRACE_MS);
const home: Home = await homeAt(
  directory,
  uid === '' ? {} : { uid: Number(uid), gid: Number(gid) },
);
const binaries = await usableBinaries(home);
while (!(await isOver().catch(() => true))) {
  await pause(LOOK_EVERY_MS);
}
