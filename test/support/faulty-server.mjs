// Runs a PostgreSQL server whose disk and clock the test changes. Arguments: a folder, and `mount` to put the data and
// the pictures of the service on small file systems. These exist only in the mount namespace of this process.
// It answers each command on the standard input with the process id of the server: `leave FOLDER BYTES` shrinks a file
// system so that only this space is free, `grow FOLDER` makes it large again, and starts the server if it has ended
// because it could not write its WAL, `start` starts a killed server with the same data. The end of the standard input
// ends the server.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

import { usableBinaries } from '../../dist/src/lib/embedded-postgres/binaries.js';
import { startEmbeddedPostgres } from '../../dist/src/lib/embedded-postgres/embedded-postgres.js';
import { findHome } from '../../dist/src/lib/embedded-postgres/home.js';

/** More than a run of a hundred faults stores. Memory is only used for files. */
const LARGE = String(3 * 2 ** 30);
const PAGE = 4096;
const SETTINGS = {
  listen_addresses: '',
  max_connections: '200',
  max_replication_slots: '0',
  max_active_replication_origins: '0',
  max_wal_size: '256MB',
  // Tests kill only processes, so written data survives in the kernel.
  fsync: 'off',
  // An acknowledged write must survive the kill of all processes. The WAL writer is so late that a write that PostgreSQL
  // acknowledges before it has reached the file does not survive.
  synchronous_commit: 'on',
  wal_writer_delay: '10s',
};

const [directory, mode] = process.argv.slice(2);
const [data, pictures] = ['database', 'pictures'].map((name) => join(directory, name));
for (const folder of [data, pictures]) {
  mkdirSync(folder);
  if (mode === 'mount') {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${LARGE},mode=711`, 'none', folder]);
  }
}
const home = await findHome(data);
// The first start creates the cluster and its reserve for the WAL.
const embedded = await startEmbeddedPostgres({ directory: data });
await embedded.stop();

let server = await started();
process.once('exit', () => server.kill('SIGQUIT'));
say({ pid: server.pid });
for await (const line of createInterface({ input: process.stdin })) {
  const [command, folder, bytes] = line.split(' ');
  const path = join(directory, folder ?? '');
  if (command === 'start') {
    await ended();
    server = await started();
  } else if (command === 'leave') {
    // A size of 0 would be no limit, which cannot be undone.
    resize(path, Math.max(usedIn(path) + Number(bytes), PAGE));
  } else {
    resize(path, LARGE);
    server = await running();
  }
  say({ pid: server.pid });
}
server.kill('SIGQUIT');
await ended();

/** Starts the server, which inherits the clock of the test. The embedded server does not inherit variables. */
async function started() {
  const { postgres } = await usableBinaries(home);
  const settings = { ...SETTINGS, unix_socket_directories: directory };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(join(directory, 'server.log'), 'a');
  const child = spawn(postgres, ['-D', home.cluster, ...words], {
    ...home.user,
    cwd: '/',
    stdio: ['ignore', log, log],
    env: { ...clock(), PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
  while (child.exitCode === null && !(await answers())) {
    await pause(50);
  }
  if (child.exitCode !== null) {
    throw new Error(`PostgreSQL has ended with status ${child.exitCode}`);
  }
  return child;
}

/** Returns the server, or a new one if the server has ended. */
async function running() {
  while (!(await answers())) {
    if (server.exitCode !== null) {
      return started();
    }
    await pause(50);
  }
  return server;
}

/** Waits until Node has reaped the server. To PostgreSQL, a process that is not reaped still owns the data. */
async function ended() {
  if (server.exitCode === null && server.signalCode === null) {
    await once(server, 'exit');
  }
}

function clock() {
  const { SERVER_CLOCK = '{}' } = process.env;
  return JSON.parse(SERVER_CLOCK);
}

async function answers() {
  const client = new pg.Client({ host: directory, user: 'satchel', database: 'satchel' });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

function resize(path, size) {
  execFileSync('mount', ['-o', `remount,size=${size}`, path]);
}

function usedIn(path) {
  const { blocks, bfree, bsize } = statfsSync(path);
  return (blocks - bfree) * bsize;
}

function say(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
