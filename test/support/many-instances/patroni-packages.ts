import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getgid, getuid } from 'node:process';

import { isAlive, processesOf } from '../processes.js';

const BIN_DIRECTORIES = ['18', '17', '16', '15', '14', '13'].map(
  (version) => `/usr/lib/postgresql/${version}/bin`,
);
const PROGRAMS = ['patroni', 'etcd', 'haproxy'];

/** Whom the servers run as. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL does not run as root. */
export function serverUser(): ServerUser {
  const [uid = 0, gid = 0] = [getuid?.(), getgid?.()];
  return uid === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : { uid, gid };
}

const idOf = (flag: string): number =>
  Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/** Where Debian puts the programs of its newest PostgreSQL. */
export const postgresPrograms = (): string | undefined =>
  BIN_DIRECTORIES.find((directory) => existsSync(`${directory}/postgres`));

/** What is not installed; empty where the cluster can be started. */
export function missingPrograms(): string[] {
  const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` };
  const isThere = (program: string): boolean =>
    spawnSync('sh', ['-c', `command -v ${program}`], { env }).status === 0;
  const missing = PROGRAMS.filter((program) => !isThere(program));
  return postgresPrograms() === undefined ? [...missing, 'postgresql'] : missing;
}

/** The processes of the PostgreSQL server that runs in a folder, its first one before the others. */
export function serverOf(directory: string): number[] {
  try {
    const pid = Number(
      readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    return isAlive(pid) ? processesOf(pid) : [];
  } catch {
    return [];
  }
}

/** To the user whom the servers run as. */
export function give(directory: string): void {
  const { uid, gid } = serverUser();
  chownSync(directory, uid, gid);
}
