import { statfs } from 'node:fs/promises';

import { usableBinaries } from './binaries.js';
import { ensureCluster, ensureDatabase } from './cluster.js';
import type { EmbeddedConnection } from './connection.js';
import { findHome, type Home } from './home.js';
import { Presence, withStartLock } from './locks.js';
import { runningServer, Server } from './server.js';
import { serverOptions, type ServerSettings } from './server-settings.js';
import { Session } from './session.js';
import { stopUnlessUsed } from './stop-server.js';
import {
  deletePrevious,
  findPrevious,
  type PreviousClusters,
  upgradeCluster,
  type Upgrading,
} from './upgrade.js';
import { Watchdog } from './watchdog.js';

/** The embedded PostgreSQL server that this process uses. Another process may have started it. */
export interface EmbeddedPostgres {
  /**
   * The parameters to connect to the server through a Unix socket, or a local TCP port on Windows.
   * The user name is that of the owner of the database cluster.
   */
  readonly connection: EmbeddedConnection;
  /**
   * The directory of the database cluster. It differs from the configured directory if the user
   * that runs the server cannot enter that directory.
   */
  readonly directory: string;
  /** True if the database cluster was created when this server was started. */
  readonly created: boolean;
  /** The directories of clusters that an earlier major version of PostgreSQL made. */
  readonly previous: PreviousClusters;
  /**
   * Deletes the copied clusters in `previous`, unless this start has copied them. Returns the deleted directories.
   * Call it when the service has started.
   */
  readonly deletePrevious: () => Promise<readonly string[]>;
  /**
   * Returns the last fatal message in the log, which says why the server ended. Returns an empty
   * text if there is no such message.
   */
  readonly fatalReason: () => Promise<string>;
  /**
   * Ends the use of the server by this process. Stops the server if no other client is connected.
   */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The directory that contains or will contain the database cluster. */
  readonly directory: string;
  /** True if the server does not sync data to the disk. Only tests use this option. */
  readonly volatile?: boolean;
  /** Additional settings of the database server. They have no effect on a server that is already running. */
  readonly settings?: ServerSettings;
  /** Upgrades a cluster of an earlier major version. Without it, the start fails on such a cluster. */
  readonly upgrading?: Upgrading | undefined;
}

/** Starts the database server of a directory, or connects to the server that is already running there. */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const home = await findHome(options.directory);
  return withStartLock(home.directory, () => startWatched(home, options));
}

/**
 * Starts a watchdog process and the database server. The watchdog starts first, because this
 * process may be killed while the server starts.
 */
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
  const { volatile = false, settings = {}, upgrading } = options;
  const binaries = await usableBinaries(home);
  const server = new Server(home, binaries);
  const isUpgraded = await upgradeCluster(home, binaries, upgrading);
  const created = await ensureCluster(home, binaries, volatile);
  const previous = await findPrevious(home);
  const connection = await runningServer(server, () => serverOptions(home, volatile, settings));
  try {
    await ensureDatabase(connection);
    const presence = await Presence.on(connection);
    if (!volatile) {
      // The server also works without reserved log segments, and the next start tries again.
      await reserveLog(connection, home.cluster).catch(() => undefined);
    }
    return {
      connection,
      directory: home.directory,
      created,
      previous,
      deletePrevious: () => (isUpgraded ? Promise.resolve([]) : deletePrevious(home)),
      fatalReason: () => server.fatalReason(),
      stop: () => leave(server, presence),
    };
  } catch (error) {
    await stopUnlessUsed(server).catch(() => undefined);
    throw error;
  }
}

/** The number of 16 MB segments of the write-ahead log that are created as a reserve. */
const RESERVED_SEGMENTS = 3;
const SEGMENT_BYTES = 16 * 1024 ** 2;
/**
 * The free disk space in bytes that is needed to create the reserve of write-ahead log segments.
 */
const LEAST_FREE_BYTES = 10 * RESERVED_SEGMENTS * SEGMENT_BYTES;

/**
 * The query that counts the reserved segments of the write-ahead log. A reserved segment has a
 * greater name than the current segment.
 */
const COUNT = `
  SELECT count(*)::int FROM pg_ls_waldir()
  WHERE name ~ '^[0-9A-F]{24}$' AND name > pg_walfile_name(pg_current_wal_lsn())`;
/**
 * The query that switches to the next segment of the write-ahead log. First writes a message,
 * because PostgreSQL does not switch if the current segment is empty.
 */
const LEAVE_SEGMENT = `SELECT pg_switch_wal() FROM pg_logical_emit_message(false, 'satchel', '')`;

/**
 * Creates a reserve of write-ahead log segments, so that PostgreSQL still serves reads when the
 * disk is full. Without a reserve, PostgreSQL would stop when it needs the next segment, and could
 * not start again. The function switches through several segments, and a checkpoint then recycles
 * them as the reserve.
 */
async function reserveLog(connection: EmbeddedConnection, cluster: string): Promise<void> {
  await Session.use(connection, async (session) => {
    const missing = RESERVED_SEGMENTS - Number(await session.ask(COUNT));
    const { bavail, bsize } = await statfs(cluster);
    if (missing <= 0 || bavail * bsize < LEAST_FREE_BYTES) {
      return;
    }
    for (let left = 0; left < missing; left += 1) {
      await session.ask(LEAVE_SEGMENT);
    }
    await session.ask('CHECKPOINT');
  });
}

/**
 * Ends the use of the database server by this process. Stops the server if no other process uses
 * it. The start lock makes parallel calls run one after the other, so that the last one stops the
 * server.
 */
async function leave(server: Server, presence: Presence): Promise<void> {
  await presence.end();
  await withStartLock(server.home.directory, () => stopUnlessUsed(server));
}
