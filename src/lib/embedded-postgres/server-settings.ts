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
  /** With any, each checkpoint writes a file, and a full disk ends the server (PANIC). Satchel uses none. */
  max_active_replication_origins: '0',
};

const VOLATILE: ServerSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** What pg_ctl hands to the server's command line. */
export async function serverOptions(
  home: Home,
  volatile: boolean,
  settings: ServerSettings,
): Promise<string> {
  const listening = process.platform === 'win32' ? await onLoopback() : await onSocket(home);
  const all = { ...COMMON, ...listening, ...(volatile ? VOLATILE : {}), ...settings };
  return Object.entries(all)
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

/** Windows has no directory permissions that guard a socket; a free port on loopback stands in. */
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

/** pg_ctl starts the server through /bin/sh, on Windows through cmd. */
const quoted = (word: string): string =>
  process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;

/** The shortest limit on the path of a socket, that of macOS; Linux allows 107. */
const MAX_PATH_BYTES = 103;
const SOCKET = '.s.PGSQL.5432';
const REMEDY = 'remove it, or set TMPDIR to a directory of your own';

/** A directory with a short path for the Unix socket, where only the server's user can enter. */
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
  // It is asked for when no server runs; the process id in the lock may be another program's by now.
  await rm(join(directory, `${SOCKET}.lock`), { force: true });
  return directory;
}

/** Leaves nothing behind in the temporary directory when the server has stopped. */
export async function dropSocketDirectory(directory: string): Promise<void> {
  await rmdir(directory).catch(() => undefined);
}

/** The sticky bit of its parent keeps a directory of ours from being exchanged after the look. */
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

/** TMPDIR may be private to root, or too deep for a socket. */
async function temporaryDirectory(home: Home): Promise<string> {
  const wanted = tmpdir();
  const isShort = Buffer.byteLength(join(wanted, nameFor(home), SOCKET)) <= MAX_PATH_BYTES;
  return isShort && (await canEnter(wanted, home.user)) ? wanted : '/tmp';
}

const nameFor = ({ directory, user }: Home): string =>
  `satchel-${digest(`${directory} ${user.uid ?? process.getuid?.() ?? ''}`)}`;
