import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getgid, getuid } from 'node:process';
import { promisify } from 'node:util';

import pg from 'pg';

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
  return [
    ...missing,
    ...(postgresPrograms() === undefined ? ['postgresql'] : []),
    ...(missing.includes('patroni') || isPatroniNewEnough(env) ? [] : ['patroni 3.1 or newer']),
  ];
}

/**
 * Patroni 3.0 loses acknowledged writes: a primary whose key has expired can take it again after the standby was promoted
 * (github.com/patroni/patroni/issues/2779).
 */
function isPatroniNewEnough(env: NodeJS.ProcessEnv): boolean {
  const { stdout } = spawnSync('patroni', ['--version'], { env, encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 1);
}

/**
 * Runs a command of patronictl on the server in a folder, and waits for its end. Returns false if it was refused, for
 * example because Patroni is already copying the server.
 */
export async function patronictl(
  directory: string,
  command: string,
  name: string,
): Promise<boolean> {
  const options = command === 'reinit' ? ['--force', '--wait'] : ['--force'];
  const words = ['-c', join(directory, 'patroni.yml'), command, 'satchel', name, ...options];
  const env = { PATH: process.env.PATH, HOME: directory, LC_ALL: 'C.UTF-8' };
  const run = promisify(execFile)('patronictl', words, { ...serverUser(), cwd: directory, env });
  return run.then(
    ({ stdout }) => {
      process.stdout.write(`patronictl ${command} ${name}: ${stdout}`);
      return true;
    },
    (error: unknown) => {
      process.stdout.write(`patronictl ${command} ${name} failed: ${String(error)}\n`);
      return false;
    },
  );
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

/**
 * Creates the database through HAProxy. Returns false if that fails, for example because HAProxy does not know the current
 * primary yet.
 */
export async function createDatabase(databaseUrl: string): Promise<boolean> {
  const url = Object.assign(new URL(databaseUrl), { username: 'postgres', pathname: '/postgres' });
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('CREATE ROLE satchel LOGIN');
    await client.query(`CREATE DATABASE satchel OWNER satchel ENCODING 'UTF8' TEMPLATE template0`);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns true if a server answers that it is well. */
export const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
