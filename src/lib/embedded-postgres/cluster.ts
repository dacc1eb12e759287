import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { reasonOf } from '../util/reason.js';
import { type Binaries, MAJOR } from './binaries.js';
import { DATABASE, type EmbeddedConnection, MAINTENANCE_DATABASE, OWNER } from './connection.js';
import type { Home } from './home.js';
import { runAs, type ServerUser } from './server-user.js';
import { errorCode, Session } from './session.js';

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
 * @throws Error if the cluster has another major version of PostgreSQL, or if it cannot be created
 */
export async function ensureCluster(
  home: Home,
  binaries: Binaries,
  volatile: boolean,
): Promise<boolean> {
  const version = await versionOf(home.cluster);
  if (version === undefined) {
    await createCluster(home, binaries, [...INITDB, ...(volatile ? ['--no-sync'] : [])]);
    return true;
  }
  if (version !== MAJOR) {
    throw new Error(
      `${home.cluster} was made by PostgreSQL ${version}, and Satchel ships ${MAJOR}: move the data` +
        ` with pg_dump and pg_restore, or set DATABASE_URL to a PostgreSQL ${version} server`,
    );
  }
  return false;
}

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

/**
 * Creates the database cluster in a temporary directory, and renames the directory when the cluster
 * is complete. A killed process therefore leaves no incomplete cluster.
 */
async function createCluster(
  home: Home,
  binaries: Binaries,
  options: readonly string[],
): Promise<void> {
  await dropDrafts(home);
  const draft = await mkdtemp(draftPrefix(home));
  try {
    await giveTo(home.user, draft);
    await runAs(home.user, binaries.initdb, ['-D', draft, ...options]).catch((error: unknown) =>
      unpackTemplate(home.user, binaries, draft, error),
    );
    await rename(draft, home.cluster);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw new Error(`PostgreSQL could not create ${home.cluster}`, { cause });
  }
}

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

const draftPrefix = ({ cluster }: Home): string => `${cluster}.new-`;

async function dropDrafts(home: Home): Promise<void> {
  const drafts = (await readdir(home.directory)).filter((name) =>
    name.startsWith(basename(draftPrefix(home))),
  );
  for (const draft of drafts) {
    // Retries the deletion, because an initdb that a killed process has started may still write
    // files here.
    await rm(join(home.directory, draft), { recursive: true, force: true, maxRetries: 5 });
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
