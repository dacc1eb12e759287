import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const NO_LIMIT = Infinity;

/**
 * Returns the number of cores that this process may use: its CPU affinity, or fewer if its control group has less CPU
 * time.
 * Node 20 reads only the affinity, so a container with one core on a machine with 64 cores would count 64. Later
 * releases ignore a limit of less than one core.
 */
export const availableCores = (root = '/'): number =>
  Math.min(availableParallelism(), coresOfGroup(root));

/** Returns the lowest limit of this process's control group and the groups around it. Infinite if none has a limit. */
export function coresOfGroup(root: string): number {
  const mount = join(root, 'sys/fs/cgroup');
  const limits = (textOf(root, 'proc/self/cgroup') ?? '').split('\n').flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === '') {
      return groupsUpFrom(path).map((group) => limitOfSecondVersion(join(mount, group)));
    }
    return controllers.split(',').includes('cpu')
      ? groupsUpFrom(path).map((group) => limitOfFirstVersion(join(mount, 'cpu', group)))
      : [];
  });
  return Math.min(NO_LIMIT, ...limits);
}

/**
 * Returns the groups from the outermost one to the path. If the path is the machine's, a container sees its own group
 * as the outermost one, and no other groups.
 * A path that points outside the mounted tree also has only the outermost group.
 */
function groupsUpFrom(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '');
  const known = names.includes('..') ? [] : names;
  return [...known.keys(), known.length].map((length) => join(...known.slice(0, length), '.'));
}

const limitOfSecondVersion = (group: string): number => {
  const [quota, period] = (textOf(group, 'cpu.max') ?? '').split(' ');
  return cores(quota, period);
};

const limitOfFirstVersion = (group: string): number =>
  cores(textOf(group, 'cpu.cfs_quota_us'), textOf(group, 'cpu.cfs_period_us'));

/** Without a limit, the quota is `max` or -1. A part of a core is rounded up. */
function cores(quota: string | undefined, period: string | undefined): number {
  const share = Number(quota) / Number(period);
  return share > 0 ? Math.ceil(share) : NO_LIMIT;
}

/** Returns undefined on other systems, and for groups that this process cannot see. */
function textOf(...path: readonly string[]): string | undefined {
  try {
    return readFileSync(join(...path), 'utf8').trim();
  } catch {
    return undefined;
  }
}
