import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

import { usableBinaries } from './binaries.js';
import { connectionTo } from './connection.js';
import { homeAt } from './home.js';
import { findUse, withStartLock } from './locks.js';
import { Server } from './server.js';
import { dropSocketDirectory } from './server-settings.js';

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
 * Stops the database server if no process uses it. Returns true if the watchdog is no longer
 * needed: the server has stopped, or another process of Satchel uses it. Returns false if the
 * caller must try again later.
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
 * Returns true if the watchdog process can end. After an error, such as a full disk, it can end
 * only if the database server no longer runs.
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
