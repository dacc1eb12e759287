import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const NO_LIMIT = Infinity;

/**
 * Returns the number of processor cores that this process may use, according to its CPU affinity and its control group.
 * The control group is read here, because Node 20 ignores it, and later releases of Node ignore its limit below one
 * core. In a container with one core on a machine with 64 cores, Node 20 counts 64 cores.
 */
export const availableCores = (root = '/'): number =>
  Math.min(availableParallelism(), coresOfGroup(root));

/**
 * Returns the lowest limit of cores among this process's control group and the groups around it. Returns Infinity if
 * none of them has a limit.
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
 * Returns the directories of the control groups on a path, the outermost first. In a container, the path may belong to
 * the host machine or point outside the mounted tree. Then only the outermost one can be read, which is the container's
 * own group.
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

/** Returns the number of cores that a quota allows, and rounds a fraction up. A quota of `max` or -1 means no limit. */
function cores(quota: string | undefined, period: string | undefined): number {
  const share = Number(quota) / Number(period);
  return share > 0 ? Math.ceil(share) : NO_LIMIT;
}

/**
 * Returns the text of a file. Returns undefined if the file does not exist, as on operating systems other than Linux,
 * or if it is invisible to this process.
 */
function textOf(...path: readonly string[]): string | undefined {
  try {
    return readFileSync(join(...path), 'utf8').trim();
  } catch {
    return undefined;
  }
}
