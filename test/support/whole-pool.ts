import type { Database } from '../../src/platform/database/database.js';
import { aBarrier } from './barrier.js';
import { until } from './processes.js';

/** Fails unless `size` transactions can be open at once, which means that lost connections were replaced. */
export async function wholePool(database: Database, size: number): Promise<void> {
  await untilPoolHasHeard(database, size);
  const meet = aBarrier(size);
  const work = Array.from({ length: size }, () => database.transaction(meet));
  await expect(Promise.all(work)).resolves.toHaveLength(size);
}

/** The pool may hand out a broken connection once before it notices. */
async function untilPoolHasHeard(database: Database, size: number): Promise<void> {
  const nap = () => database.manager.query('SELECT pg_sleep(0.05)');
  await until(async () => {
    const naps = await Promise.allSettled(Array.from({ length: size }, nap));
    return naps.every(({ status }) => status === 'fulfilled');
  });
}
