import { existsSync } from 'node:fs';
import { chown, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { reasonOf } from '../util/reason.js';
import type { Binaries } from './binaries.js';
import { findClusters, MAJOR } from './clusters.js';
import { DATABASE, type EmbeddedConnection, MAINTENANCE_DATABASE, OWNER } from './connection.js';
import type { Home } from './home.js';
import { Server } from './server.js';
import { runAs, type ServerUser } from './server-user.js';
import { Session } from './session.js';
import { stopServer } from './stop-server.js';

/**
 * The arguments of initdb. Every database cluster sorts text by code points, and maps lower case to upper case by the
 * rules of Unicode.
 */
const INITDB = [
  ...['-U', OWNER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--locale-provider=builtin'],
  ...['--builtin-locale=C.UTF-8', '--no-instructions'],
];

/**
 * Creates the database cluster if it is missing. Returns true if this call created it.
 * @throws Error if a newer version of Satchel has upgraded the cluster, or if it cannot be created
 */
export async function ensureCluster(
  home: Home,
  binaries: Binaries,
  volatile: boolean,
): Promise<boolean> {
  const { current, newer } = await findClusters(home.directory);
  if (newer !== undefined) {
    throw new Error(
      `${newer.path} was made by PostgreSQL ${newer.major}, and Satchel ships ${MAJOR}: install the newer version of` +
        ' Satchel again. To return to the data before its upgrade, move this folder elsewhere',
    );
  }
  if (current === undefined) {
    await createCluster(home, binaries, volatile);
  }
  return current === undefined;
}

/**
 * Creates the database cluster in a temporary directory, and renames the directory when the cluster
 * is complete. A killed process therefore leaves no incomplete cluster.
 */
async function createCluster(home: Home, binaries: Binaries, volatile: boolean): Promise<void> {
  await dropDrafts(home, binaries);
  const draft = await createDraft(home, binaries, volatile);
  try {
    await rename(draft, home.cluster);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw notCreated(home, cause);
  }
}

/** Creates a cluster in a temporary directory, and returns the path. The caller renames the directory. */
export async function createDraft(
  home: Home,
  binaries: Binaries,
  volatile: boolean,
): Promise<string> {
  const options = [...INITDB, ...(volatile ? ['--no-sync'] : [])];
  const draft = await mkdtemp(`${home.cluster}.new-`);
  try {
    await giveTo(home.user, draft);
    await runAs(home.user, binaries.initdb, ['-D', draft, ...options]).catch((error: unknown) =>
      unpackTemplate(home.user, binaries, draft, error),
    );
    return draft;
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw notCreated(home, cause);
  }
}

const notCreated = ({ cluster }: Home, cause: unknown): Error =>
  new Error(`PostgreSQL could not create ${cluster}`, { cause });

/**
 * Matches the error that initdb reports if its user has no entry in /etc/passwd. The database
 * server itself does not need the entry.
 */
const UNLISTED_USER = /could not look up effective user ID (\d+)/;

const unlistedUser = (uid: string, cause: unknown): Error =>
  new Error(
    `a new database cannot be created by uid ${uid}: initdb of PostgreSQL requires an entry for this uid in` +
      ' /etc/passwd, and the prepared database that is used without an entry is missing. Run "npm run build" once as' +
      ' a user with an entry, start as a user with an entry, mount an /etc/passwd that lists the uid, or set' +
      ' DATABASE_URL to a PostgreSQL server',
    { cause },
  );

/**
 * Unpacks the prepared database cluster if initdb failed because its user has no entry in
 * /etc/passwd.
 * @throws the error of initdb if initdb failed for another reason
 */
async function unpackTemplate(
  user: ServerUser,
  { initdb, template }: Binaries,
  cluster: string,
  error: unknown,
): Promise<void> {
  const [, uid] = UNLISTED_USER.exec(reasonOf(error)) ?? [];
  if (uid === undefined) {
    throw error;
  }
  if (!existsSync(template)) {
    throw unlistedUser(uid, error);
  }
  // Runs `tar` as the user of the database server, so that this user owns the files.
  await runAs(user, 'tar', ['-xzf', template, '-C', cluster]);
  await runAs(user, '/bin/chmod', ['-R', 'u+rwX,go=', cluster]);
  await runAs(user, initdb, ['--sync-only', '-D', cluster]);
}

/** Packs a new database cluster. Renames the archive when it is complete. */
export async function createTemplate(
  { initdb, template }: Binaries,
  user: ServerUser,
): Promise<void> {
  const draft = await mkdtemp(join(tmpdir(), 'satchel-template-'));
  try {
    const cluster = join(draft, 'cluster');
    await giveTo(user, draft);
    await runAs(user, initdb, ['-D', cluster, ...INITDB, '--no-sync']);
    const whole = `${template}.new`;
    await runAs({}, 'tar', ['-czf', whole, '-C', cluster, '.']);
    await rename(whole, template);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Deletes incomplete clusters. Stops their servers first, which an interrupted upgrade may have left. */
export async function dropDrafts(home: Home, binaries: Binaries): Promise<void> {
  for (const draft of (await findClusters(home.directory)).drafts) {
    await stopServer(new Server({ ...home, cluster: draft }, binaries));
    // Retries the deletion, because an initdb that a killed process has started may still write
    // files here.
    await rm(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function giveTo(user: ServerUser, directory: string): Promise<void> {
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(directory, user.uid, user.gid);
  }
}

/**
 * Creates the database in the cluster if it is missing, because the first start was killed before
 * it created the database.
 */
export async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  try {
    await Session.use({ ...connection, database: MAINTENANCE_DATABASE }, make);
  } catch (cause) {
    const remedy = 'make room in the data directory and start again';
    throw new Error(`the database ${DATABASE} could not be made: ${remedy}`, { cause });
  }
}

async function make(session: Session): Promise<void> {
  const found = await session.ask('SELECT true FROM pg_database WHERE datname = $1', [DATABASE]);
  if (found !== true) {
    await session.ask(`CREATE DATABASE ${DATABASE} TEMPLATE template0`);
  }
}
