import { cp, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { Home } from './home.js';
import { runAs } from './run-as.js';
import type { ServerUser } from './server-user.js';
import { type Binaries, shippedBinaries } from './shipped-binaries.js';
import { makeSymlinks } from './symlinks.js';

/** Programs that the server user can run: the shipped ones, or a copy of them beside the cluster. */
export async function usableBinaries({ directory, user }: Home): Promise<Binaries> {
  const shipped = await shippedBinaries();
  if ((await failure(shipped, user)) === undefined) {
    return shipped;
  }
  const native = dirname(dirname(shipped.postgres));
  await makeSymlinks(native);
  const failed = await failure(shipped, user);
  if (failed === undefined) {
    return shipped;
  }
  // The file is there, so what is missing is its loader: another C library, such as musl.
  if (isMissing(failed)) {
    throw unusable(shipped, failed);
  }
  return usableCopy(native, shipped, { directory, user });
}

/** A copy reaches whom a checkout below a private directory does not. */
async function usableCopy(
  native: string,
  shipped: Binaries,
  { directory, user }: Pick<Home, 'directory' | 'user'>,
): Promise<Binaries> {
  const copy = join(directory, 'pgsql');
  const copied = {
    initdb: join(copy, 'bin', basename(shipped.initdb)),
    pg_ctl: join(copy, 'bin', basename(shipped.pg_ctl)),
    postgres: join(copy, 'bin', basename(shipped.postgres)),
  };
  if (!(await isSame(shipped.postgres, copied.postgres))) {
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

async function failure(binaries: Binaries, user: ServerUser): Promise<Error | undefined> {
  try {
    await Promise.all(
      [binaries.postgres, binaries.initdb].map((program) => runAs(user, program, ['-V'])),
    );
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const isMissing = (error: Error): boolean => 'code' in error && error.code === 'ENOENT';

function unusable({ postgres }: Binaries, cause: Error): Error {
  const remedy = 'run as an ordinary user, or set DATABASE_URL to a PostgreSQL server';
  return new Error(`${postgres} does not run on this system: ${remedy}`, { cause });
}
