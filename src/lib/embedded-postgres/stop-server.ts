import { connectionTo } from './connection.js';
import { isInUse } from './locks.js';
import type { Server } from './server.js';
import { dropSocketDirectory } from './server-settings.js';

/** Stops a database server if it is running, and deletes the directory of its socket. */
export async function stopServer(server: Server): Promise<void> {
  if (await server.isRunning()) {
    const { host } = await connectionTo(server.home.cluster);
    await server.stop();
    await dropSocketDirectory(host);
  }
}

/** Stops a database server unless another process uses it. Returns true if the server does not run any more. */
export async function stopUnlessUsed(server: Server): Promise<boolean> {
  if (await server.isRunning()) {
    if (await isInUse(await connectionTo(server.home.cluster))) {
      return false;
    }
    await stopServer(server);
  }
  return true;
}
