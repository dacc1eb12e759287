import { join } from 'node:path';

import lockfile from 'proper-lockfile';

/** Two minutes: longer than a first start on a slow disk. */
const RETRIES = { retries: 600, factor: 1, minTimeout: 200, maxTimeout: 200 };
/** A process killed while it holds the lock delays the next one by this much. */
const STALE_MS = 5_000;
const UPDATE_MS = 1_000;

/** Does the work while no other process starts or stops the server of the directory. */
export async function withStartLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const release = await locked(directory);
  try {
    return await work();
  } finally {
    // A lock that was lost to a machine asleep is not there to be released.
    await release().catch(() => undefined);
  }
}

async function locked(directory: string): Promise<() => Promise<void>> {
  const lockfilePath = join(directory, 'starting.lock');
  try {
    return await lockfile.lock(directory, {
      lockfilePath,
      retries: RETRIES,
      stale: STALE_MS,
      update: UPDATE_MS,
      // PostgreSQL's own lock on the cluster still holds: the worst case is a start that fails.
      onCompromised: () => undefined,
    });
  } catch (cause) {
    const remedy = 'end the other process that is starting there, or check that it can be written';
    throw new Error(`${lockfilePath} cannot be taken: ${remedy}`, { cause });
  }
}
