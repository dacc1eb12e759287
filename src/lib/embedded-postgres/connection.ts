import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { runAs } from './server-user.js';

/** Connection parameters for the embedded database server. The user is the owner of the database cluster. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly database: string;
}

export const OWNER = 'satchel';
export const DATABASE = 'satchel';
/** The name of the database that every PostgreSQL cluster contains. */
export const MAINTENANCE_DATABASE = 'postgres';

/**
 * Returns the connection parameters of the running database server. Another process may have
 * started this server.
 * @throws Error if no server is running
 */
export async function connectionTo(cluster: string): Promise<EmbeddedConnection> {
  const found = await readPidFile(cluster);
  if (found === undefined) {
    throw new Error(`no PostgreSQL server is running on ${cluster}`);
  }
  return { host: found.host, port: found.port, username: OWNER, database: DATABASE };
}

/** The contents of the pid file of a running database server. */
interface PidFile {
  readonly pid: string;
  readonly host: string;
  readonly port: number;
}

const pidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

/**
 * Parses the pid file of a database server. Its lines are: process id, directory, start time, port, socket directory,
 * listen address (pidfile.h of PostgreSQL).
 */
async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFile(cluster), 'utf8').catch(() => '');
  const [pid, , , port = '', socketDirectory = '', address = ''] = text
    .split('\n')
    .map((line) => line.trim());
  return pid ? { pid, host: socketDirectory || address, port: Number(port) } : undefined;
}

/**
 * Deletes the pid file of a crashed database server if its process id now belongs to another
 * program, which happens in containers. If no process has this id, PostgreSQL itself replaces the
 * file at the next start.
 */
export async function dropForeignPidFile(cluster: string): Promise<void> {
  const found = await readPidFile(cluster);
  const command = found && (await commandOf(found.pid));
  if (command !== undefined && !command.includes(`-D ${cluster} `)) {
    await rm(pidFile(cluster), { force: true });
  }
}

/**
 * Returns the command line of a process, which is empty for a zombie process. Returns undefined if
 * the process does not exist.
 */
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
