import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import lockfile from 'proper-lockfile';

import { errorCode } from './error-code.js';

/** Two minutes: longer than a first start on a slow disk. */
const ATTEMPTS = 1_200;
const PAUSE_MS = 100;
/** A process killed while it holds the lock delays the next one by this much. */
const STALE_MS = 5_000;
const UPDATE_MS = 1_000;

/** Does the work while no other process starts or stops the server of the directory. */
export async function withStartLock<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const release = await locked(directory);
  try {
    return await work();
  } finally {
    // A lock that was lost while the machine slept is not there to be released.
    await release().catch(() => undefined);
  }
}

/** The library's own retries would also repeat what never succeeds, such as a read-only directory. */
async function locked(directory: string): Promise<() => Promise<void>> {
  const lockfilePath = join(directory, 'starting.lock');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await lockfile.lock(directory, {
        lockfilePath,
        stale: STALE_MS,
        update: UPDATE_MS,
        // PostgreSQL's own lock on the cluster still holds: the worst case is a start that fails.
        onCompromised: () => undefined,
      });
    } catch (cause) {
      if (errorCode(cause) !== 'ELOCKED' || attempt === ATTEMPTS) {
        const remedy = 'check that it can be written and that no other start hangs';
        throw new Error(`${lockfilePath} cannot be taken: ${remedy}`, { cause });
      }
    }
    await pause(PAUSE_MS);
  }
}
