import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getgid, getuid } from 'node:process';

import { isAlive, processesOf } from '../processes.js';

const BIN_DIRECTORIES = ['18', '17', '16', '15', '14', '13'].map(
  (version) => `/usr/lib/postgresql/${version}/bin`,
);
const PROGRAMS = ['patroni', 'etcd', 'haproxy'];

/** The account that the servers run under. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root. */
export function serverUser(): ServerUser {
  const [uid = 0, gid = 0] = [getuid?.(), getgid?.()];
  return uid === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : { uid, gid };
}

const idOf = (flag: string): number =>
  Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

/** Debian's program folder of the newest installed PostgreSQL. */
export const postgresPrograms = (): string | undefined =>
  BIN_DIRECTORIES.find((directory) => existsSync(`${directory}/postgres`));

/** Returns the missing programs. Empty if the cluster can start. */
export function missingPrograms(): string[] {
  const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` };
  const isThere = (program: string): boolean =>
    spawnSync('sh', ['-c', `command -v ${program}`], { env }).status === 0;
  const missing = PROGRAMS.filter((program) => !isThere(program));
  return postgresPrograms() === undefined ? [...missing, 'postgresql'] : missing;
}

/** Returns the processes of the PostgreSQL server in a folder, the postmaster first. */
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

/** Changes the folder's owner to the servers' account. */
export function give(directory: string): void {
  const { uid, gid } = serverUser();
  chownSync(directory, uid, gid);
}
