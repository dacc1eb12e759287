import { existsSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

import type { Config } from '../../platform/config/config.js';
import { type Finding, ok, warning } from './finding.js';

const GIB = 1024 ** 3;
const MEGABYTE = 1024 ** 2;

/** A folder of the service. */
interface Place {
  readonly name: string;
  readonly path: string;
  readonly leastFreeBytes: number;
}

/** A file system, and what the service writes there. */
interface Disk {
  readonly names: readonly string[];
  /** An existing folder of the file system. */
  readonly path: string;
  readonly freeBytes: number;
  /** The free space that the most demanding place needs. */
  readonly leastFreeBytes: number;
}

/**
 * Checks the free space for the data of the service, for the backups and for temporary files. The disk of an external
 * database server is on another machine, so the check of writing examines it. The temporary files need room for the
 * largest import, because documented installations keep them in a small file system in memory.
 *
 * @param database the folder of the embedded database
 * @param measure returns the free bytes of the file system of a folder
 */
export function checkDisks(
  config: Pick<Config, 'dataDirectory' | 'backup' | 'importMegabytes'>,
  database?: string,
  measure = freeBytesAt,
): Finding[] {
  const places: Place[] = [
    ...(database === undefined ? [] : [lasting('database', database)]),
    lasting('data', config.dataDirectory),
    ...(config.backup === undefined ? [] : [lasting('backups', config.backup.directory)]),
    {
      name: 'temporary files',
      path: tmpdir(),
      leastFreeBytes: config.importMegabytes * MEGABYTE,
    },
  ];
  const disks = disksOf(places, measure);
  const low = disks.filter((disk) => disk.freeBytes < disk.leastFreeBytes);
  return low.length === 0
    ? [ok('disk', disks.map(describe).join('; '))]
    : low.map((disk) =>
        warning('disk', `${describe(disk)}, in ${disk.path}: make room before writes fail`),
      );
}

/** A folder with data that grow. */
const lasting = (name: string, path: string): Place => ({ name, path, leastFreeBytes: GIB });

const describe = ({ names, freeBytes }: Disk): string =>
  `${(freeBytes / GIB).toFixed(1)} GiB free for ${names.join(', ')}`;

function disksOf(places: readonly Place[], measure: (path: string) => number): Disk[] {
  const disks = new Map<number, Disk>();
  for (const { name, path: wanted, leastFreeBytes } of places) {
    const path = existingAbove(wanted);
    const { dev } = statSync(path);
    const known = disks.get(dev) ?? { names: [], path, freeBytes: measure(path), leastFreeBytes };
    disks.set(dev, {
      ...known,
      names: [...known.names, name],
      leastFreeBytes: Math.max(known.leastFreeBytes, leastFreeBytes),
    });
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
