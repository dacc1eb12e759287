import type { Database } from '../../src/database/database.js';
import { until } from './processes.js';

/** Fails unless that many transactions can be open at once: a connection that was lost has been replaced. */
export async function wholePool(database: Database, size: number): Promise<void> {
  await untilPoolHasHeard(database, size);
  let arrived = 0;
  let release: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (release = resolve));
  const meet = (): Promise<void> => {
    arrived += 1;
    if (arrived === size) {
      release();
    }
    return all;
  };
  const work = Array.from({ length: size }, () => database.write(meet));
  await expect(Promise.all(work)).resolves.toHaveLength(size);
}

/** A connection that was cut off may be handed out once more before the pool hears of it. */
async function untilPoolHasHeard(database: Database, size: number): Promise<void> {
  const nap = () => database.read((manager) => manager.query('SELECT pg_sleep(0.05)'));
  await until(async () => {
    const naps = await Promise.allSettled(Array.from({ length: size }, nap));
    return naps.every(({ status }) => status === 'fulfilled');
  });
}
