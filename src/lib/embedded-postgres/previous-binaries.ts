import { createRequire } from 'node:module';
import { join } from 'node:path';

import { type Binaries, nativeDirectory, packageName, runnableBinaries } from './binaries.js';
import { MAJOR } from './clusters.js';
import type { Home } from './home.js';
import { runAs } from './server-user.js';

/**
 * The package versions of earlier PostgreSQL servers that this release can upgrade, by major version. A release that
 * raises the major version adds the previous one, also to the optional dependencies (docs/decisions/0140).
 */
const VERSIONS: ReadonlyMap<string, string> = new Map([['17', '17.10.0-beta.17']]);

/** The directory in which the operator can install the programs of an earlier major version. */
export const installDirectory = ({ directory }: Pick<Home, 'directory'>): string =>
  join(directory, 'previous-server');

/** The copy of the earlier programs, for a user who cannot run the installed ones. */
export const previousCopy = ({ directory }: Pick<Home, 'directory'>): string =>
  join(directory, 'pgsql-previous');

/**
 * Returns the PostgreSQL programs of an earlier major version. They are in a dependency of Satchel, or the operator has
 * installed them in the data directory.
 * @throws Error with the command that installs the programs, if they are missing
 */
export async function previousBinaries(home: Home, major: string): Promise<Binaries> {
  const alias = `${packageName()}-${major}`;
  const native = [import.meta.url, join(installDirectory(home), 'package.json')]
    .map((from) => located(from, alias))
    .find((path) => path !== undefined);
  if (native === undefined) {
    throw missing(home, major, alias);
  }
  const binaries = await runnableBinaries(native, previousCopy(home), home.user);
  const version = await runAs(home.user, binaries.postgres, ['-V']);
  if (!version.includes(` ${major}.`)) {
    throw new Error(
      `${native} contains ${version.trim()} instead of PostgreSQL ${major}: remove it`,
    );
  }
  return binaries;
}

function located(from: string, name: string): string | undefined {
  try {
    return nativeDirectory(createRequire(from).resolve(name));
  } catch {
    return undefined;
  }
}

function missing(home: Home, major: string, alias: string): Error {
  const version = VERSIONS.get(major);
  const problem = `the database in ${home.directory} was made by PostgreSQL ${major}, and Satchel ships ${MAJOR}`;
  if (version === undefined) {
    return new Error(
      `${problem}, which cannot upgrade it: start an earlier version of Satchel first, which ships a version between them`,
    );
  }
  const command = `npm install --no-save --prefix "${installDirectory(home)}" ${alias}@npm:${packageName()}@${version}`;
  return new Error(
    `${problem}. Nothing was changed. The upgrade needs the programs of PostgreSQL ${major}: install them, and start again: ${command}`,
  );
}
