import { once } from 'node:events';
import { chown, lstat, mkdir, rm, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { digest, type Home } from './home.js';
import { canEnter } from './server-user.js';
import { errorCode } from './session.js';

export type ServerSettings = Readonly<Record<string, string>>;

const COMMON: ServerSettings = {
  shared_buffers: '128MB',
  max_connections: '100',
  log_checkpoints: 'off',
  /**
   * Disables replication origins, which Satchel does not use. With replication origins, each
   * checkpoint writes a file, so a full disk would crash the server (PANIC).
   */
  max_active_replication_origins: '0',
};

const VOLATILE: ServerSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** Returns the command line options with which pg_ctl starts the database server. */
export async function serverOptions(
  home: Home,
  volatile: boolean,
  settings: ServerSettings,
): Promise<string> {
  return plainOptions(home, { ...COMMON, ...(volatile ? VOLATILE : {}), ...settings });
}

/**
 * Returns the command line options of a server for an upgrade. They contain no settings of the service, because an
 * earlier PostgreSQL may not know them.
 */
export async function plainOptions(home: Home, settings: ServerSettings): Promise<string> {
  const listening = process.platform === 'win32' ? await onLoopback() : await onSocket(home);
  return Object.entries({ ...listening, ...settings })
    .map(([name, value]) => `-c ${quoted(`${name}=${value}`)}`)
    .join(' ');
}

async function onSocket(home: Home): Promise<ServerSettings> {
  const directory = await emptySocketDirectory(home);
  return {
    listen_addresses: '',
    unix_socket_directories: `"${directory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

/**
 * Returns the settings for a free TCP port on the loopback interface. Windows uses a port instead
 * of a Unix socket, because it has no directory permissions that could protect the socket.
 */
async function onLoopback(): Promise<ServerSettings> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    listen_addresses: '127.0.0.1',
    port: String(port ?? 5432),
    unix_socket_directories: '',
  };
}

/**
 * Quotes a word for the shell with which pg_ctl starts the database server: /bin/sh, or cmd on
 * Windows.
 */
const quoted = (word: string): string =>
  process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;

/** The maximum length of a Unix socket's path on macOS, in bytes. Linux allows 107 bytes. */
const MAX_PATH_BYTES = 103;
const SOCKET = '.s.PGSQL.5432';
const REMEDY = 'remove it, or set TMPDIR to a directory of your own';

/**
 * Returns an empty directory with a short path for the Unix socket. Only the user that runs the
 * database server can enter it.
 */
async function emptySocketDirectory(home: Home): Promise<string> {
  const directory = join(await temporaryDirectory(home), nameFor(home));
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') {
      throw new Error(`${directory} cannot be made: ${REMEDY}`, { cause });
    }
  }
  await makeOwned(directory, home);
  // Deletes the lock file of an earlier socket, because its process id may now belong to another
  // program.
  await rm(join(directory, `${SOCKET}.lock`), { force: true });
  return directory;
}

/** Deletes the directory of the Unix socket after the database server has stopped. */
export async function dropSocketDirectory(directory: string): Promise<void> {
  await rmdir(directory).catch(() => undefined);
}

/**
 * Changes the owner of a private directory to the user that runs the database server. Other users
 * then cannot replace the directory, because its parent directory has the sticky bit.
 * @throws Error if another user owns the directory or can access it
 */
async function makeOwned(directory: string, { user }: Home): Promise<void> {
  const found = await lstat(directory);
  const own = process.getuid?.() ?? 0;
  const isOurs = [own, user.uid].includes(found.uid);
  if (!found.isDirectory() || !isOurs || (found.mode & 0o077) !== 0) {
    throw new Error(`${directory} is not a private directory of this service's user: ${REMEDY}`);
  }
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(directory, user.uid, user.gid);
  }
}

/**
 * Returns the parent directory for the Unix socket: TMPDIR, or /tmp if TMPDIR has a long path or
 * the user of the server cannot enter it.
 */
async function temporaryDirectory(home: Home): Promise<string> {
  const wanted = tmpdir();
  const isShort = Buffer.byteLength(join(wanted, nameFor(home), SOCKET)) <= MAX_PATH_BYTES;
  return isShort && (await canEnter(wanted, home.user)) ? wanted : '/tmp';
}

/** The name differs for each cluster, because an upgrade runs the servers of two clusters. */
const nameFor = ({ cluster, user }: Home): string =>
  `satchel-${digest(`${cluster} ${user.uid ?? process.getuid?.() ?? ''}`)}`;
