import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

import { usableBinaries } from './binaries.js';
import { connectionTo } from './connection.js';
import { homeAt } from './home.js';
import { findUse, withStartLock } from './locks.js';
import { Server } from './server.js';
import { dropSocketDirectory } from './server-settings.js';

/**
 * The time before an abandoned database server is stopped, in milliseconds. A supervisor may restart the service in
 * this time, and the restarted service uses the running server.
 */
const GRACE_MS = 20_000;
const LOOK_EVERY_MS = 5_000;

/** Resolves when the service has ended. Its end closes the standard input of this process. */
async function endOfService(): Promise<void> {
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve).once('error', resolve));
}

/**
 * Stops the database server if no process uses it. Returns true if the server has stopped or another process of Satchel
 * uses it. Returns false if the server is busy and does not answer, so that the caller checks again later.
 */
async function stopAbandoned(server: Server): Promise<boolean> {
  return withStartLock(server.home.directory, async () => {
    if (!(await server.isRunning())) {
      return true;
    }
    const connection = await connectionTo(server.home.cluster);
    const use = await findUse(connection);
    if (use === 'none') {
      await server.stop();
      await dropSocketDirectory(connection.host);
    }
    return use === 'none' || use === 'satchel';
  });
}

/**
 * Returns true if the watchdog can end. After an error, the watchdog continues while the server runs: for example, the
 * disk may be full, without space for the lock file.
 */
const isOver = (server: Server): Promise<boolean> =>
  stopAbandoned(server).catch(async () => !(await server.isRunning().catch(() => false)));

const [directory = '', uid = '', gid = ''] = process.argv.slice(2);
await endOfService();
await pause(GRACE_MS);
const home = await homeAt(directory, uid === '' ? {} : { uid: Number(uid), gid: Number(gid) });
const server = new Server(home, await usableBinaries(home));
while (!(await isOver(server))) {
  await pause(LOOK_EVERY_MS);
}
