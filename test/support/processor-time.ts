import process from 'node:process';

/** The seconds of processor time that the work takes in this process: what else a machine does adds nothing to them. */
export async function processorSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
