import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const NO_LIMIT = Infinity;

/**
 * Returns the number of cores that this process may use: the number in its CPU affinity, or a lower limit of its
 * control group. Node 20 reads only the affinity, so that a container with one core on a machine with 64 cores would
 * count 64 cores. Later releases of Node ignore a limit of less than one core.
 */
export const availableCores = (root = '/'): number =>
  Math.min(availableParallelism(), coresOfGroup(root));

/**
 * Returns the lowest core limit of this process's control group and of the groups around it. Returns Infinity if none
 * of the groups has a limit.
 */
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
 * Returns the control groups on a path, from the outermost group to the innermost group. For a path of the host
 * machine, a container can see only its own group, which is its outermost group. If the path points outside the mounted
 * tree, the result is only the outermost group.
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

/**
 * Returns the number of cores that a quota allows. The quota is `max` or -1 if there is no limit. A fraction of a core
 * is rounded up.
 */
function cores(quota: string | undefined, period: string | undefined): number {
  const share = Number(quota) / Number(period);
  return share > 0 ? Math.ceil(share) : NO_LIMIT;
}

/**
 * Returns the text of a file. Returns undefined on operating systems other than Linux, and for groups that this process
 * cannot see.
 */
function textOf(...path: readonly string[]): string | undefined {
  try {
    return readFileSync(join(...path), 'utf8').trim();
  } catch {
    return undefined;
  }
}
