import { createHash } from 'node:crypto';
import { access, chmod, constants, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { makeDirectory } from '../util/make-directory.js';
import { CLUSTER, clusterNames } from './clusters.js';
import { type Account, canEnter, runAs, type ServerUser, unprivilegedUser } from './server-user.js';

/** The advice at the end of each error message about a directory that cannot be used. */
const REMEDY = 'set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL server';

/** The directory of a database cluster, and the system user that runs its server. */
export interface Home {
  readonly directory: string;
  readonly cluster: string;
  readonly log: string;
  readonly user: ServerUser;
}

/**
 * Returns the paths in an existing directory, and the user that runs the server. Resolves symbolic
 * links, so that a directory always has the same path.
 */
export async function homeAt(place: string, user: ServerUser): Promise<Home> {
  const directory = await realpath(place);
  return {
    directory,
    cluster: join(directory, CLUSTER),
    log: join(directory, 'postgres.log'),
    user,
  };
}

/**
 * Returns the user and group ids of the owner of the database cluster in a directory. Returns undefined if the
 * directory has no cluster.
 */
async function clusterOwner(directory: string): Promise<{ uid: number; gid: number } | undefined> {
  // A cluster of another major version counts too, because it contains the data before an upgrade.
  const [name = CLUSTER] = await clusterNames(directory);
  const found = await stat(join(directory, name)).catch(() => undefined);
  return found && { uid: found.uid, gid: found.gid };
}

/**
 * Matches characters that a path must not contain, because pg_ctl puts paths into a shell command.
 */
const UNQUOTABLE = /["$`\n\\]/;

/**
 * Returns the paths of the database cluster, and the user that runs its server. Creates the
 * directory if it is missing.
 * @throws Error if the directory cannot be used, or if another user owns the cluster
 */
export async function findHome(wanted: string): Promise<Home> {
  const directory = resolve(wanted);
  if (process.platform !== 'win32' && UNQUOTABLE.test(directory)) {
    throw new Error(`${directory} has a character that PostgreSQL's pg_ctl cannot take: ${REMEDY}`);
  }
  return process.getuid?.() === 0 ? findHomeForRoot(directory) : findOwnHome(directory);
}

async function findOwnHome(directory: string): Promise<Home> {
  try {
    makeDirectory(directory, 0o700);
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`${directory} cannot be written by this process: ${REMEDY}`, { cause });
  }
  const home = await homeAt(directory, {});
  const owner = await clusterOwner(directory);
  if (owner !== undefined && process.getuid !== undefined && owner.uid !== process.getuid()) {
    throw new Error(`${home.cluster} belongs to uid ${owner.uid}: run as that user, or ${REMEDY}`);
  }
  return home;
}

/**
 * The parent directory of new database clusters if this process runs as root, and the user that
 * runs the server cannot enter the configured directory, for example /root.
 */
const REACHABLE = '/var/lib/satchel';
const ROOT = 0;

/** Returns true if `findHome` would find a database cluster. Creates no directory. */
export async function hasCluster(wanted: string): Promise<boolean> {
  const directory = resolve(wanted);
  const places = process.getuid?.() === ROOT ? placesForRoot(directory) : [directory];
  const owners = await Promise.all(places.map(clusterOwner));
  return owners.some((owner) => owner !== undefined);
}

const placesForRoot = (wanted: string): string[] => [wanted, join(REACHABLE, digest(wanted))];

interface Candidate {
  readonly place: string;
  readonly user: Account;
}

/**
 * Returns the paths of the database cluster for a process that runs as root. The server runs as the
 * owner of the cluster, or as an unprivileged user.
 * @throws Error if this user can enter neither the configured directory nor /var/lib/satchel
 */
async function findHomeForRoot(wanted: string): Promise<Home> {
  for (const { place, user } of await candidates(placesForRoot(wanted))) {
    await makeEnterable(place);
    if (await canEnter(place, user)) {
      return homeAt(place, user);
    }
  }
  throw new Error(
    `PostgreSQL does not run as root, and other users cannot enter ${wanted}: ${REMEDY}`,
  );
}

/**
 * Returns the directories in which the database cluster may be created. If one of them already
 * contains a cluster, returns only this one, so that a second, empty cluster does not hide the
 * stored data.
 */
async function candidates(places: readonly string[]): Promise<Candidate[]> {
  const unprivileged = await unprivilegedUser();
  for (const place of places) {
    const owner = await clusterOwner(place);
    if (owner !== undefined) {
      return [{ place, user: owner.uid === ROOT ? unprivileged : owner }];
    }
  }
  return places.map((place) => ({ place, user: unprivileged }));
}

/**
 * Lets other users enter a directory that belongs to root, even if the umask forbids it. Creates a
 * missing directory so that only root can list its files.
 */
async function makeEnterable(directory: string): Promise<void> {
  try {
    const made = makeDirectory(directory);
    if (made !== undefined) {
      await runAs({}, 'chmod', ['-R', '0711', made]);
    }
    const { uid, mode } = await stat(directory);
    if (uid === ROOT) {
      await chmod(directory, mode | 0o011);
    }
  } catch (cause) {
    throw new Error(`${directory} cannot be created: ${REMEDY}`, { cause });
  }
}

/** Returns a short hash of a text, for use in the name of a file or directory. */
export const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
