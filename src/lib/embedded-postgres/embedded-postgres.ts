import { usableBinaries } from './binaries.js';
import { ensureCluster, ensureDatabase } from './cluster.js';
import { connectionTo, type EmbeddedConnection } from './connection.js';
import { findHome, type Home } from './home.js';
import { isInUse, Presence, withStartLock } from './locks.js';
import { reserveLog } from './log-reserve.js';
import { runningServer, Server } from './server.js';
import { dropSocketDirectory, serverOptions, type ServerSettings } from './server-settings.js';
import { Watchdog } from './watchdog.js';

/** The embedded PostgreSQL server that this process uses. Another process may have started it. */
export interface EmbeddedPostgres {
  /**
   * The parameters to connect to the server: a Unix socket (a local TCP port on Windows), and the owner of the database
   * cluster as the user.
   */
  readonly connection: EmbeddedConnection;
  /**
   * The directory of the database cluster. It differs from the requested directory if this process runs as root, and
   * the server's user cannot enter the requested directory.
   */
  readonly directory: string;
  /** True if the database cluster was created when this server was started. */
  readonly created: boolean;
  /**
   * Returns the last fatal message in the log of the server, which is the reason why the server ended. Returns an empty
   * text if the log has no fatal message.
   */
  readonly fatalReason: () => Promise<string>;
  /** Ends the use of the server by this process. The server stops if no other client is connected to it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The directory that contains or will contain the database cluster. */
  readonly directory: string;
  /** True if the server does not sync data to the disk. Only tests use this option. */
  readonly volatile?: boolean;
  /** Additional settings of the database server. They have no effect on a server that is already running. */
  readonly settings?: ServerSettings;
}

/** Starts the database server of a directory, or connects to the server that is already running there. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const home = await findHome(options.directory);
  return withStartLock(home.directory, () => startWatched(home, options));
}

/** Starts a watchdog process before the database server, because this process may be killed while the server starts. */
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
      // Ignores the error, because the server works without the log reserve. The next start tries again to create it.
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

/**
 * Ends the use of the database server by this process, and stops the server if no other process uses it. Because of the
 * start lock, the second of two processes that end together stops the server.
 */
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
