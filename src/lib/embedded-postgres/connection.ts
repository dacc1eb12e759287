import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { runAs } from './server-user.js';

/** How to connect to the embedded server as the owner of its cluster. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly database: string;
}

export const OWNER = 'satchel';
export const DATABASE = 'satchel';
/** The database every cluster has. */
export const MAINTENANCE_DATABASE = 'postgres';

/** The connection to the running server, which may have been started by another process. */
export async function connectionTo(cluster: string): Promise<EmbeddedConnection> {
  const found = await readPidFile(cluster);
  if (found === undefined) {
    throw new Error(`no PostgreSQL server is running on ${cluster}`);
  }
  return { host: found.host, port: found.port, username: OWNER, database: DATABASE };
}

/** What a server writes about itself into its cluster. */
interface PidFile {
  readonly pid: string;
  readonly host: string;
  readonly port: number;
}

const pidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

/** Lines: pid, directory, start time, port, socket directory, listen address (pidfile.h of PostgreSQL). */
async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFile(cluster), 'utf8').catch(() => '');
  const [pid, , , port = '', socketDirectory = '', address = ''] = text
    .split('\n')
    .map((line) => line.trim());
  return pid ? { pid, host: socketDirectory || address, port: Number(port) } : undefined;
}

/**
 * Removes the file of a crashed server whose process id another program has by now, as happens in
 * containers; the file of a process that is gone is PostgreSQL's own to judge.
 */
export async function dropForeignPidFile(cluster: string): Promise<void> {
  const found = await readPidFile(cluster);
  const command = found && (await commandOf(found.pid));
  if (command !== undefined && !command.includes(`-D ${cluster} `)) {
    await rm(pidFile(cluster), { force: true });
  }
}

/** The command line of a process, empty for one that is dead but not reaped; undefined if unknown. */
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
