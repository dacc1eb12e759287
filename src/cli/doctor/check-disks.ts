import { existsSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

import type { Config } from '../../platform/config/config.js';
import { type Finding, ok, warning } from './finding.js';

const GIB = 1024 ** 3;
const LEAST_FREE_BYTES = GIB;

type Place = readonly [name: string, path: string];

/** A file system, and what the service writes there. */
interface Disk {
  readonly names: string[];
  /** An existing folder of the file system. */
  readonly path: string;
  readonly freeBytes: number;
}

/**
 * Checks the free space for the data of the service, for the backups and for temporary files. The disk of an external
 * database server is on another machine, so the check of writing examines it.
 *
 * @param database the folder of the embedded database
 * @param measure returns the free bytes of the file system of a folder
 */
export function checkDisks(
  config: Pick<Config, 'dataDirectory' | 'backup'>,
  database?: string,
  measure = freeBytesAt,
): Finding[] {
  const places: Place[] = [
    ...(database === undefined ? [] : [['database', database] as const]),
    ['data', config.dataDirectory],
    ...(config.backup === undefined ? [] : [['backups', config.backup.directory] as const]),
    ['temporary files', tmpdir()],
  ];
  const disks = disksOf(places, measure);
  const low = disks.filter(({ freeBytes }) => freeBytes < LEAST_FREE_BYTES);
  return low.length === 0
    ? [ok('disk', disks.map(describe).join('; '))]
    : low.map((disk) =>
        warning('disk', `${describe(disk)}, in ${disk.path}: make room before writes fail`),
      );
}

const describe = ({ names, freeBytes }: Disk): string =>
  `${(freeBytes / GIB).toFixed(1)} GiB free for ${names.join(', ')}`;

function disksOf(places: readonly Place[], measure: (path: string) => number): Disk[] {
  const disks = new Map<number, Disk>();
  for (const [name, wanted] of places) {
    const path = existingAbove(wanted);
    const { dev } = statSync(path);
    const known = disks.get(dev);
    if (known === undefined) {
      disks.set(dev, { names: [name], path, freeBytes: measure(path) });
    } else {
      known.names.push(name);
    }
  }
  return [...disks.values()];
}

function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Returns the folder itself, or the nearest parent folder that exists. */
const existingAbove = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : existingAbove(dirname(path));
