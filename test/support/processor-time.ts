import process from 'node:process';

/** Returns the processor time of the work in seconds. Load from other processes does not count. */
export async function processorSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
