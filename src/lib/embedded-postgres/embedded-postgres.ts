import { usableBinaries } from './binaries.js';
import { ensureCluster, ensureDatabase } from './cluster.js';
import { connectionTo, type EmbeddedConnection } from './connection.js';
import { findHome, type Home } from './home.js';
import { isInUse, Presence, withStartLock } from './locks.js';
import { reserveLog } from './log-reserve.js';
import { runningServer, Server } from './server.js';
import { dropSocketDirectory, serverOptions, type ServerSettings } from './server-settings.js';
import { Watchdog } from './watchdog.js';

/** This process's use of the embedded PostgreSQL server. */
export interface EmbeddedPostgres {
  /** How to connect: over a Unix socket (loopback TCP on Windows), as the cluster's owner. */
  readonly connection: EmbeddedConnection;
  /** Where the cluster is: the directory asked for, unless root's server user cannot enter it. */
  readonly directory: string;
  /** Whether this call created the cluster. */
  readonly created: boolean;
  /** Why the server has ended, as its log says; empty if it says nothing. */
  readonly fatalReason: () => Promise<string>;
  /** Stops the server unless another client is still connected (that client stops it then). */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Made when it is missing. */
  readonly directory: string;
  /** For tests: nothing is forced to the disk. */
  readonly volatile?: boolean;
  /** More settings of the server; one that runs already keeps its own. */
  readonly settings?: ServerSettings;
}

/** Starts the PostgreSQL server of a directory, or joins the one that runs there. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const home = await findHome(options.directory);
  return withStartLock(home.directory, () => startWatched(home, options));
}

/** The watchdog comes first: this process may be killed while the server starts. */
async function startWatched(
  home: Home,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const watchdog = Watchdog.over(home);
  try {
    const started = await start(home, options);
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await started.stop();
      watchdog.dismiss();
    };
    return { ...started, stop: () => (stopped ??= stop()) };
  } catch (error) {
    watchdog.dismiss();
    throw error;
  }
}

async function start(home: Home, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { volatile = false, settings = {} } = options;
  const binaries = await usableBinaries(home);
  const server = new Server(home, binaries);
  const created = await ensureCluster(home, binaries, volatile);
  const connection = await runningServer(server, () => serverOptions(home, volatile, settings));
  try {
    await ensureDatabase(connection);
    const presence = await Presence.on(connection);
    if (!volatile) {
      // Without a reserve the server works as well until its disk is full; the next start tries again.
      await reserveLog(connection, home.cluster).catch(() => undefined);
    }
    return {
      connection,
      directory: home.directory,
      created,
      fatalReason: () => server.fatalReason(),
      stop: () => leave(server, presence),
    };
  } catch (error) {
    await stopUnlessUsed(server).catch(() => undefined);
    throw error;
  }
}

/** Decides under the lock, so that of two that leave together the second sees that it is the last. */
async function leave(server: Server, presence: Presence): Promise<void> {
  await presence.end();
  await withStartLock(server.home.directory, () => stopUnlessUsed(server));
}

async function stopUnlessUsed(server: Server): Promise<void> {
  if (await server.isRunning()) {
    const connection = await connectionTo(server.home.cluster);
    if (!(await isInUse(connection))) {
      await server.stop();
      await dropSocketDirectory(connection.host);
    }
  }
}
