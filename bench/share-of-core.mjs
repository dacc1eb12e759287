// Limits a process to a share of a core. So a machine with few cores shows how several processes scale, without slowing
// them down by the load generator or the database. Requires Linux, root, and control groups of either version.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A short period, so that requests do not wait long. */
const PERIOD_US = 10_000;
const ROOT = '/sys/fs/cgroup';
const isSecondVersion = existsSync(join(ROOT, 'cgroup.controllers'));

/** Returns a function that removes the limit. The process must have ended before. */
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
