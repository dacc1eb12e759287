import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { runAs } from './server-user.js';

/** Connection parameters of the embedded server, for the owner of its cluster. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly database: string;
}

export const OWNER = 'satchel';
export const DATABASE = 'satchel';
/** The database that every cluster has. */
export const MAINTENANCE_DATABASE = 'postgres';

/**
 * Returns the connection to the running server, which another process may have started.
 *
 * @throws Error if no server is running.
 */
export async function connectionTo(cluster: string): Promise<EmbeddedConnection> {
  const found = await readPidFile(cluster);
  if (found === undefined) {
    throw new Error(`no PostgreSQL server is running on ${cluster}`);
  }
  return { host: found.host, port: found.port, username: OWNER, database: DATABASE };
}

/** Facts that a server writes into its cluster. */
interface PidFile {
  readonly pid: string;
  readonly host: string;
  readonly port: number;
}

const pidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

/** Reads these lines: pid, directory, start time, port, socket directory, listen address (pidfile.h of PostgreSQL). */
async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFile(cluster), 'utf8').catch(() => '');
  const [pid, , , port = '', socketDirectory = '', address = ''] = text
    .split('\n')
    .map((line) => line.trim());
  return pid ? { pid, host: socketDirectory || address, port: Number(port) } : undefined;
}

/**
 * Removes the pid file of a crashed server if another program has its process id now, as happens in containers. If no
 * process has the id, PostgreSQL itself handles the file.
 */
export async function dropForeignPidFile(cluster: string): Promise<void> {
  const found = await readPidFile(cluster);
  const command = found && (await commandOf(found.pid));
  if (command !== undefined && !command.includes(`-D ${cluster} `)) {
    await rm(pidFile(cluster), { force: true });
  }
}

/** Returns the command line of a process. Empty for a process that is dead but not reaped; undefined if unknown. */
async function commandOf(pid: string): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
    return words?.replaceAll('\0', ' ');
  }
  if (process.platform === 'win32') {
    return undefined;
  }
  return runAs({}, 'ps', ['-ww', '-o', 'command=', '-p', pid]).catch(() => undefined);
}
