import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';

import type { Home } from './home.js';
import { emptySocketDirectory } from './socket-directory.js';

export type ServerSettings = Readonly<Record<string, string>>;

const COMMON: ServerSettings = {
  shared_buffers: '128MB',
  max_connections: '100',
  log_checkpoints: 'off',
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
