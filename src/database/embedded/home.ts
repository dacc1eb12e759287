import { createHash } from 'node:crypto';
import { access, constants, mkdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { canEnter } from './can-enter.js';
import { runAs } from './run-as.js';
import { isRoot, type ServerUser, unprivilegedUser } from './server-user.js';

/** Where a cluster lives, and as whom its server runs. */
export interface Home {
  readonly directory: string;
  readonly cluster: string;
  readonly log: string;
  readonly user: ServerUser;
}

const CLUSTER = 'pg18';
/** Where root keeps the clusters of directories that its server user cannot enter, such as /root. */
const REACHABLE = '/var/lib/satchel';
/** pg_ctl puts paths between double quotes into a shell command. */
const UNQUOTABLE = /["$`\n\\]/;
const REMEDY = 'set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL server';

/** The home of the cluster of a directory, made when it is missing. */
export async function findHome(wanted: string): Promise<Home> {
  const directory = resolve(wanted);
  if (process.platform !== 'win32' && UNQUOTABLE.test(directory)) {
    throw new Error(`${directory} has a character that PostgreSQL's pg_ctl cannot take: ${REMEDY}`);
  }
  return isRoot() ? findHomeForRoot(directory) : findOwnHome(directory);
}

async function findOwnHome(directory: string): Promise<Home> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`${directory} cannot be written by this process: ${REMEDY}`, { cause });
  }
  const home = await homeAt(directory, {});
  const owner = await clusterOwner(directory);
  if (owner?.uid !== undefined && process.getuid !== undefined && owner.uid !== process.getuid()) {
    throw new Error(`${home.cluster} belongs to uid ${owner.uid}: run as that user, or ${REMEDY}`);
  }
  return home;
}

/** An existing cluster is never passed over, or a changed permission would look like lost data. */
async function findHomeForRoot(wanted: string): Promise<Home> {
  const places = [wanted, join(REACHABLE, digest(wanted))];
  for (const place of places) {
    const owner = await clusterOwner(place);
    if (owner !== undefined) {
      return enterable(place, owner.uid === 0 ? await unprivilegedUser() : owner);
    }
  }
  const user = await unprivilegedUser();
  for (const place of places) {
    await makeEnterable(place);
    if (await canEnter(place, user)) {
      return homeAt(place, user);
    }
  }
  throw new Error(notEnterable(wanted, user));
}

async function enterable(directory: string, user: ServerUser): Promise<Home> {
  if (!(await canEnter(directory, user))) {
    throw new Error(notEnterable(directory, user));
  }
  return homeAt(directory, user);
}

const notEnterable = (directory: string, { uid = 0 }: ServerUser): string =>
  `${directory} cannot be entered by uid ${uid}, as whom PostgreSQL runs for root: ${REMEDY}`;

/** Other users may pass through what is made here, whatever the umask; they may not list it. */
async function makeEnterable(directory: string): Promise<void> {
  const made = await mkdir(directory, { recursive: true });
  if (made !== undefined) {
    await runAs({}, 'chmod', ['-R', '0711', made]);
  }
}

async function clusterOwner(directory: string): Promise<ServerUser | undefined> {
  const found = await stat(join(directory, CLUSTER)).catch(() => undefined);
  return found && { uid: found.uid, gid: found.gid };
}

/** One directory has one name here, by whichever link it is reached. */
async function homeAt(place: string, user: ServerUser): Promise<Home> {
  const directory = await realpath(place);
  return {
    directory,
    cluster: join(directory, CLUSTER),
    log: join(directory, 'postgres.log'),
    user,
  };
}

export const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
