import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from './session.js';

/** The major version of the PostgreSQL programs in the npm package. */
export const MAJOR = '18';

/**
 * The name of the directory with the database cluster. It contains the major version, so that an
 * upgrade never has to rename the earlier cluster.
 */
export const CLUSTER = 'pg18';

/** The end of the name of a directory that is being deleted. */
const DELETED = '.deleted';

/** Matches the name of a database cluster. */
const COMPLETE = /^pg(\d+)$/;
/** Matches the name of a database cluster that is being created, also by an upgrade. */
const DRAFT = /^pg\d+\.new-/;
const GONE = /^pg\d+\.deleted$/;

/** A directory with a complete database cluster. */
export interface FoundCluster {
  readonly path: string;
  readonly major: string;
}

/**
 * The database clusters of a data directory. They show the state of an upgrade:
 *
 * - only `previous`: the upgrade has not begun, or has not reached the rename; it starts over
 * - `previous` and `current`: the upgrade is complete, and `previous` is deleted after the next start
 * - only `current`: no upgrade is needed
 * - `newer`: a newer version of Satchel has upgraded the cluster, so this version refuses to start
 */
export interface Clusters {
  /** The cluster of the shipped major version. */
  readonly current: FoundCluster | undefined;
  /** The clusters of earlier major versions, newest first. */
  readonly previous: readonly FoundCluster[];
  /** The newest cluster of a later major version. */
  readonly newer: FoundCluster | undefined;
  /** Paths of incomplete clusters, which interrupted processes have left. */
  readonly drafts: readonly string[];
  /** Paths of clusters whose deletion was interrupted. */
  readonly deleted: readonly string[];
}

/**
 * Returns the database clusters of a directory.
 * @throws Error if a cluster cannot be read, or if its name and its version differ
 */
export async function findClusters(directory: string): Promise<Clusters> {
  const names = await readdir(directory);
  const found: FoundCluster[] = [];
  for (const name of names.filter((one) => COMPLETE.test(one)).toSorted(byMajor)) {
    const path = join(directory, name);
    const major = await versionOf(path);
    if (major !== undefined) {
      found.push({ path, major: requireName(path, major) });
    }
  }
  const matching = (pattern: RegExp): string[] =>
    names.filter((name) => pattern.test(name)).map((name) => join(directory, name));
  return {
    current: found.find(({ major }) => major === MAJOR),
    previous: found.filter(({ major }) => Number(major) < Number(MAJOR)),
    newer: found.find(({ major }) => Number(major) > Number(MAJOR)),
    drafts: matching(DRAFT),
    deleted: matching(GONE),
  };
}

/** Returns the names of the directories in which a database server may run: complete clusters and drafts. */
export const serverDirectories = async (directory: string): Promise<string[]> =>
  (await readdir(directory))
    .filter((name) => COMPLETE.test(name) || DRAFT.test(name))
    .map((name) => join(directory, name));

/** Returns the names of complete clusters in a directory, newest first. Returns an empty array if it cannot be read. */
export const clusterNames = async (directory: string): Promise<string[]> =>
  (await readdir(directory).catch(() => []))
    .filter((name) => COMPLETE.test(name))
    .toSorted(byMajor);

/** Returns the path to which a cluster is renamed before it is deleted, so that half a cluster never looks complete. */
export const deletedPath = (cluster: string): string => `${cluster}${DELETED}`;

const majorIn = (name: string): number => Number(COMPLETE.exec(name)?.[1] ?? 0);
const byMajor = (one: string, other: string): number => majorIn(other) - majorIn(one);

async function versionOf(cluster: string): Promise<string | undefined> {
  const file = join(cluster, 'PG_VERSION');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') {
      return undefined;
    }
    throw new Error(`${file} cannot be read: run as the user it belongs to`, { cause });
  }
}

function requireName(path: string, major: string): string {
  if (!path.endsWith(`pg${major}`)) {
    throw new Error(
      `${path} was made by PostgreSQL ${major}: rename it to pg${major} and start again`,
    );
  }
  return major;
}
