import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const NO_LIMIT = Infinity;

/**
 * Returns the number of processor cores that this process can use, according to its CPU affinity and the CPU limit of
 * its control group. The limit of the control group is read here, because Node 20 ignores it, and later releases of
 * Node ignore limits below one core. In a container with one core on a machine with 64 cores, Node 20 returns 64 cores.
 */
export const availableCores = (root = '/'): number =>
  Math.min(availableParallelism(), coresOfGroup(root));

/**
 * Returns the lowest core limit of this process's control group and its parent groups. Returns Infinity if none of
 * these groups has a core limit.
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
 * Returns the directories of a control group and its parent groups, the outermost first. In a
 * container, the path may not exist inside the mounted tree. Then only the outermost directory can
 * be read, which belongs to the container's own control group.
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
 * Returns the number of cores that a control group with this CPU quota can use, rounded up to a whole core. A quota of
 * `max` or -1 means no limit.
 */
function cores(quota: string | undefined, period: string | undefined): number {
  const share = Number(quota) / Number(period);
  return share > 0 ? Math.ceil(share) : NO_LIMIT;
}

/**
 * Returns the text of a file. Returns undefined if the file cannot be read, for example because it exists only on
 * Linux.
 */
function textOf(...path: readonly string[]): string | undefined {
  try {
    return readFileSync(join(...path), 'utf8').trim();
  } catch {
    return undefined;
  }
}
