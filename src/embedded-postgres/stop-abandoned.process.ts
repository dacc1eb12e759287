import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

import { usableBinaries } from './binaries.js';
import { connectionTo } from './connection.js';
import { homeAt } from './home.js';
import { isTakenOver, isUsedByOthers, withStartLock } from './locks.js';
import { Server } from './server.js';
import { dropSocketDirectory } from './server-settings.js';

/** Time for a supervisor to start the service again, which then uses the running server. */
const GRACE_MS = 20_000;
const LOOK_EVERY_MS = 5_000;

/** Resolves when the process at the other end of standard input has ended. */
async function endOfService(): Promise<void> {
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve).once('error', resolve));
}

/** Stops the server unless a process of Satchel or a client uses it. Returns false if a client other than Satchel does. */
async function stopAbandoned(server: Server): Promise<boolean> {
  return withStartLock(server.home.directory, async () => {
    if (!(await server.isRunning())) {
      return true;
    }
    const connection = await connectionTo(server.home.cluster);
    if (await isTakenOver(connection)) {
      return true;
    }
    if (await isUsedByOthers(connection)) {
      return false;
    }
    await server.stop();
    await dropSocketDirectory(connection.host);
    return true;
  });
}

const [directory = '', uid = '', gid = ''] = process.argv.slice(2);
await endOfService();
await pause(GRACE_MS);
const home = await homeAt(directory, uid === '' ? {} : { uid: Number(uid), gid: Number(gid) });
const server = new Server(home, await usableBinaries(home));
while (!(await stopAbandoned(server))) {
  await pause(LOOK_EVERY_MS);
}
