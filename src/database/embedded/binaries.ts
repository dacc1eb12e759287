import { cp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from './error-code.js';
import type { Home } from './home.js';
import { runAs } from './run-as.js';
import type { ServerUser } from './server-user.js';
import { type Binaries, binariesIn, shippedPostgres } from './shipped-binaries.js';
import { makeSymlinks } from './symlinks.js';

/** Programs that the server's user can run: the shipped ones, or a copy beside the cluster. */
export async function usableBinaries({ directory, user }: Home): Promise<Binaries> {
  const native = shippedPostgres();
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
  return usableCopy(native, join(directory, 'pgsql'), user);
}

/** A copy is within reach where a checkout below a private or read-only directory is not. */
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

/** A program that is there but not found lacks its loader: the system has another C library. */
function unusable({ postgres }: Binaries, cause: unknown): Error {
  const problem =
    errorCode(cause) === 'ENOENT'
      ? 'needs the GNU C library, which this system lacks: set'
      : 'does not run for the user of the server: set DATA_DIR to another directory, or';
  return new Error(`${postgres} ${problem} DATABASE_URL to a PostgreSQL server`, { cause });
}
