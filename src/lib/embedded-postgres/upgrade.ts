import { open, rename, rm, statfs } from 'node:fs/promises';
import process from 'node:process';

import type { Binaries } from './binaries.js';
import { createDraft, dropDrafts, ensureDatabase } from './cluster.js';
import { type Clusters, deletedPath, findClusters, type FoundCluster, MAJOR } from './clusters.js';
import type { EmbeddedConnection } from './connection.js';
import type { Home } from './home.js';
import { Presence } from './locks.js';
import { installDirectory, previousBinaries, previousCopy } from './previous-binaries.js';
import { runningServer, Server } from './server.js';
import { plainOptions, type ServerSettings } from './server-settings.js';
import { stopServer, stopUnlessUsed } from './stop-server.js';
import { databaseBytes, requireOwnContents } from './upgrade-contents.js';
import { dropMark, isCopied, markCopy } from './upgrade-mark.js';

/** Copies the data of an upgrade, and receives its progress. */
export interface Upgrading {
  /**
   * Copies all data to an empty database.
   * @throws Error if the copy is incomplete
   */
  readonly copy: (from: EmbeddedConnection, to: EmbeddedConnection) => Promise<void>;
  /** Receives a sentence for the log after each step. */
  readonly report: (progress: string) => Promise<void>;
  /** Returns the free space of the disk in bytes. Only tests replace it. */
  readonly freeBytes?: (directory: string) => Promise<number>;
}

/** Settings of the earlier server, which make the upgrade leave its data as they are. */
const READ_ONLY: ServerSettings = { default_transaction_read_only: 'on', autovacuum: 'off' };
/** Settings of the new server. They keep its log small, because COPY into a new table then writes no log. */
const FILLING: ServerSettings = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '64MB',
  autovacuum: 'off',
};

/**
 * Upgrades the database cluster if an earlier major version of PostgreSQL made it. The copy is made in a temporary
 * directory. One rename completes the upgrade, so that a process that is killed leaves either state, but nothing
 * between. The earlier cluster stays until `deletePrevious`. The caller holds the start lock.
 *
 * @returns true if this call has upgraded the cluster
 * @throws Error if the upgrade is impossible or fails; the earlier cluster is unchanged in this case
 */
export async function upgradeCluster(
  home: Home,
  binaries: Binaries,
  upgrading: Upgrading | undefined,
): Promise<boolean> {
  const clusters = await findClusters(home.directory);
  const [previous] = clusters.previous;
  if (clusters.current !== undefined || clusters.newer !== undefined || previous === undefined) {
    return false;
  }
  if (upgrading === undefined) {
    throw notUpgraded(home, clusters, previous);
  }
  const programs = await previousBinaries(home, previous.major);
  const source = new Server({ ...home, cluster: previous.path }, programs);
  if (!(await stopUnlessUsed(source))) {
    throw new Error(`another program uses the database in ${previous.path}: stop it first`);
  }
  await dropDrafts(home, binaries);
  try {
    await upgrade({ home, binaries, source, upgrading }, previous.major);
  } catch (cause) {
    await stopServer(source).catch(() => undefined);
    await dropDrafts(home, binaries).catch(() => undefined);
    const what = `the database was not upgraded from PostgreSQL ${previous.major} to ${MAJOR}`;
    throw new Error(`${what}, and ${previous.path} is unchanged`, { cause });
  }
  return true;
}

function notUpgraded({ directory }: Home, { drafts }: Clusters, { major }: FoundCluster): Error {
  const state = drafts.length > 0 ? 'its upgrade was interrupted' : 'it is not upgraded yet';
  return new Error(
    `the database in ${directory} was made by PostgreSQL ${major}, and ${state}: start the service once, which upgrades it to ${MAJOR}`,
  );
}

interface Upgrade {
  readonly home: Home;
  readonly binaries: Binaries;
  /** The server of the earlier cluster. */
  readonly source: Server;
  readonly upgrading: Upgrading;
}

async function upgrade(
  { home, binaries, source, upgrading }: Upgrade,
  major: string,
): Promise<void> {
  const { copy, report } = upgrading;
  await report(`upgrading the database from PostgreSQL ${major} to ${MAJOR}`);
  const from = await startHeld(source, READ_ONLY);
  await report(`the server of PostgreSQL ${major} runs, and accepts no changes`);
  const hasData = await requireOwnContents(from.connection);
  await requireSpace(home, from.connection, upgrading);
  const draft = await createDraft(home, binaries, false);
  await report(`created an empty database in ${draft}`);
  const target = new Server({ ...home, cluster: draft }, binaries);
  const to = await startHeld(target, FILLING);
  await ensureDatabase(to.connection);
  await report(`the server of PostgreSQL ${MAJOR} runs, and the data are copied`);
  if (hasData) {
    await copy(from.connection, to.connection);
  }
  await report('copied all data');
  await to.stop();
  await from.stop();
  await report('stopped both servers');
  await markCopy(draft, source.home.cluster);
  await rename(draft, home.cluster);
  await syncDirectory(home.directory);
  await report(
    `upgraded the database to PostgreSQL ${MAJOR}; ${source.home.cluster} stays until the next start of the service`,
  );
}

interface HeldServer {
  readonly connection: EmbeddedConnection;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server, and marks it as used by this process. If this process is paused, its start lock expires, and another
 * process would stop a server that is not in use.
 */
async function startHeld(server: Server, settings: ServerSettings): Promise<HeldServer> {
  const connection = await runningServer(server, () => plainOptions(server.home, settings));
  const presence = await Presence.on(connection);
  const stop = async (): Promise<void> => {
    await presence.end();
    await stopServer(server);
  };
  return { connection, stop };
}

/** The space in bytes that a new cluster needs beside the data: its own files and its log. */
const BASE_BYTES = 256 * 1024 ** 2;
/** Indexes that grow row by row can be larger than the earlier ones. */
const GROWTH = 1.5;
const MB = 1024 ** 2;

async function requireSpace(
  { directory }: Home,
  from: EmbeddedConnection,
  { freeBytes = freeSpace }: Upgrading,
): Promise<void> {
  const bytes = await databaseBytes(from);
  const needed = Math.ceil((bytes * GROWTH + BASE_BYTES) / MB);
  const free = Math.floor((await freeBytes(directory)) / MB);
  if (free < needed) {
    throw new Error(
      `the disk of ${directory} has ${free} MB free, and the upgrade needs ${needed} MB: make room and start again`,
    );
  }
}

async function freeSpace(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Writes a rename to the disk. Windows cannot open directories, and needs no sync. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform !== 'win32') {
    const handle = await open(directory);
    await handle.sync().finally(() => handle.close());
  }
}

/** The paths of the clusters of earlier major versions beside the current cluster. */
export interface PreviousClusters {
  /** An upgrade has copied all their data. */
  readonly copied: readonly string[];
  /** They contain data that the current cluster may lack. */
  readonly kept: readonly string[];
}

export async function findPrevious({ directory }: Home): Promise<PreviousClusters> {
  const { current, previous } = await findClusters(directory);
  const copied: string[] = [];
  const kept: string[] = [];
  for (const { path } of previous) {
    const isObsolete = current !== undefined && (await isCopied(current.path, path));
    (isObsolete ? copied : kept).push(path);
  }
  return { copied, kept };
}

/**
 * Deletes the clusters of earlier major versions whose data an upgrade has copied, and the programs that the upgrade
 * needed. Returns the paths of the deleted clusters. Renames a cluster before its deletion, so that a killed process
 * leaves no half of a cluster.
 */
export async function deletePrevious(home: Home): Promise<readonly string[]> {
  const { deleted } = await findClusters(home.directory);
  const { copied } = await findPrevious(home);
  if (copied.length + deleted.length === 0) {
    return [];
  }
  for (const path of copied) {
    await rename(path, deletedPath(path));
  }
  const programs = [installDirectory(home), previousCopy(home)];
  for (const path of [...deleted, ...copied.map(deletedPath), ...programs]) {
    await rm(path, { recursive: true, force: true });
  }
  await dropMark(home.cluster);
  return copied;
}
