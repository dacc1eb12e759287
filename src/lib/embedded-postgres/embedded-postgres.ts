import { usableBinaries } from './binaries.js';
import { ensureCluster, ensureDatabase } from './cluster.js';
import { connectionTo, type EmbeddedConnection } from './connection.js';
import { findHome, type Home } from './home.js';
import { isInUse, Presence, withStartLock } from './locks.js';
import { reserveLog } from './log-reserve.js';
import { runningServer, Server } from './server.js';
import { dropSocketDirectory, serverOptions, type ServerSettings } from './server-settings.js';
import { Watchdog } from './watchdog.js';

/** The embedded PostgreSQL server that this process has started or found. */
export interface EmbeddedPostgres {
  /** Connection parameters: a Unix socket (loopback TCP on Windows), and the owner of the cluster as the user. */
  readonly connection: EmbeddedConnection;
  /**
   * The directory of the cluster. The cluster is not in the requested directory if this process runs as root and the
   * server's user cannot enter the requested directory.
   */
  readonly directory: string;
  /** True if the call that started the server also created the cluster. */
  readonly created: boolean;
  /** Returns the reason why the server ended, from its log. Returns an empty text if the log contains no reason. */
  readonly fatalReason: () => Promise<string>;
  /** Stops the server. If another client is still connected, the server runs until the other client stops it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The directory of the cluster. A missing directory is created. */
  readonly directory: string;
  /** For tests: the server does not sync data to the disk. */
  readonly volatile?: boolean;
  /** Additional settings of the server. A server that already runs keeps its own settings. */
  readonly settings?: ServerSettings;
}

/** Starts the PostgreSQL server of a directory, or connects to the server that already runs there. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const home = await findHome(options.directory);
  return withStartLock(home.directory, () => startWatched(home, options));
}

/** Starts a watchdog process before the server, because this process may be killed while the server starts. */
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
      // If the reserve for the write-ahead log cannot be created, the server still works until its disk is full. The
      // next start tries again.
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
 * Ends the use of the server by this process, and stops the server if no process uses it. If two processes call this at
 * the same time, the start lock ensures that the second one stops the server.
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
