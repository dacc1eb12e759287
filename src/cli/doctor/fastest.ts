import { performance } from 'node:perf_hooks';

/**
 * Runs some work several times in sequence, and returns the shortest time in milliseconds. Other programs on a busy
 * machine delay single runs, but seldom all of them.
 */
export async function fastestMs(times: number, work: () => Promise<unknown>): Promise<number> {
  let fastest = Infinity;
  for (let count = 0; count < times; count += 1) {
    const begin = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - begin);
  }
  return fastest;
}
