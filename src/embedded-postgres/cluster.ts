import { chown, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Binaries } from './binaries.js';
import { DATABASE, type EmbeddedConnection, MAINTENANCE_DATABASE, OWNER } from './connection.js';
import type { Home } from './home.js';
import { runAs } from './server-user.js';
import { errorCode, Session } from './session.js';

const MAJOR = '18';
/** One collation on every machine: that of Unicode code points, with Unicode's letter cases. */
const INITDB = [
  ...['-U', OWNER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--locale-provider=builtin'],
  ...['--builtin-locale=C.UTF-8', '--no-instructions'],
];

/** Makes the cluster unless it is there, and tells whether it did. */
export async function ensureCluster(
  home: Home,
  { initdb }: Binaries,
  volatile: boolean,
): Promise<boolean> {
  const version = await versionOf(home.cluster);
  if (version === undefined) {
    await createCluster(home, [initdb, ...INITDB, ...(volatile ? ['--no-sync'] : [])]);
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

/** The cluster appears whole or not at all: a first start that is killed leaves only a draft. */
async function createCluster(home: Home, [initdb = '', ...options]: string[]): Promise<void> {
  await dropDrafts(home);
  const draft = await mkdtemp(draftPrefix(home));
  try {
    await giveTo(home, draft);
    await runAs(home.user, initdb, ['-D', draft, ...options]);
    await rename(draft, home.cluster);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    const remedy = 'make room there, set DATA_DIR to another directory, or set DATABASE_URL';
    throw new Error(`PostgreSQL could not make ${home.cluster}: ${remedy}`, { cause });
  }
}

const draftPrefix = ({ cluster }: Home): string => `${cluster}.new-`;

async function dropDrafts(home: Home): Promise<void> {
  const drafts = (await readdir(home.directory)).filter((name) =>
    name.startsWith(basename(draftPrefix(home))),
  );
  for (const draft of drafts) {
    // An initdb that outlived its Node may still be writing there.
    await rm(join(home.directory, draft), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function giveTo({ user }: Home, directory: string): Promise<void> {
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(directory, user.uid, user.gid);
  }
}

/** Makes the database unless it is there: a first start may have been killed after initdb. */
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
