import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const NO_LIMIT = Infinity;

/**
 * As many cores as this process may use: those that it is bound to, or fewer where its control group has less time of them.
 * Node 20 looks at the former alone, so that a container of one core on a machine of 64 would count 64, and later releases
 * pass over a limit of less than a core.
 */
export const availableCores = (root = '/'): number =>
  Math.min(availableParallelism(), coresOfGroup(root));

/** The least that the control group of this process and those around it grant; infinite where none has a limit. */
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
 * Where the path is that of the machine, a container sees its own group as the outermost, and the others not at all; a path
 * that leads out of what is mounted has only that one too.
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

/** Without a limit the quota is `max` or -1. Part of a core needs one. */
function cores(quota: string | undefined, period: string | undefined): number {
  const share = Number(quota) / Number(period);
  return share > 0 ? Math.ceil(share) : NO_LIMIT;
}

/** Undefined on other systems, and for groups that cannot be seen. */
function textOf(...path: readonly string[]): string | undefined {
  try {
    return readFileSync(join(...path), 'utf8').trim();
  } catch {
    return undefined;
  }
}
