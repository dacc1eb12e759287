// Gives a process a fixed share of a core, so that a machine of few cores shows what several processes do where each has
// room: none of them is then slowed by the load generator or the database. Needs Linux and the rights of root; control
// groups of either version.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Short, so that no request waits long for the next turn. */
const PERIOD_US = 10_000;
const ROOT = '/sys/fs/cgroup';
const isSecondVersion = existsSync(join(ROOT, 'cgroup.controllers'));

/** Returns a function that ends the limit, which the process must have ended before. */
export function limitToShare(pid, share) {
  const group = join(ROOT, isSecondVersion ? '' : 'cpu', `satchel-bench-${pid}`);
  const quota = Math.round(PERIOD_US * share);
  if (isSecondVersion) writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+cpu');
  mkdirSync(group);
  const limits = isSecondVersion
    ? { 'cpu.max': `${quota} ${PERIOD_US}` }
    : { 'cpu.cfs_period_us': PERIOD_US, 'cpu.cfs_quota_us': quota };
  for (const [file, value] of Object.entries({ ...limits, 'cgroup.procs': pid })) {
    writeFileSync(join(group, file), String(value));
  }
  return () => rmdirSync(group);
}
