import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';

import pg from 'pg';

import type { TransactionPooler } from '../../src/platform/config/database-settings.js';
import type { Connection } from '../../src/platform/database/data-source.options.js';
import { until } from './processes.js';
import { aFreePort } from './service-process.js';

/** A PgBouncer for tests, on loopback. */
export interface PgBouncer {
  /** Database URL through the pooler. */
  readonly url: string;
  /** The same address as the service's connection settings. */
  readonly connection: Connection & { readonly url: string };
  /** Runs a console command, such as RECONNECT. */
  command(statement: string): Promise<void>;
  close(): Promise<void>;
}

interface PoolerSettings {
  readonly mode?: 'session' | 'transaction' | 'statement';
  /** Number of server sessions that all clients share. */
  readonly sessions?: number;
  /** Number of prepared statements kept per session; 0 disables them. */
  readonly prepared?: number;
  /** The role for the server login, regardless of the client's role. */
  readonly role?: string;
}

const PROGRAM = process.env.PGBOUNCER_PATH ?? 'pgbouncer';
/** Null if PgBouncer is not installed. */
const VERSION = /PgBouncer (\d+)\.(\d+)/.exec(
  spawnSync(PROGRAM, ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
  }).stdout,
);

/** PgBouncer supports prepared statements since 1.21. */
export const canKeepStatements =
  VERSION !== null && Number(VERSION[1]) * 100 + Number(VERSION[2]) >= 121;

/** Starts a PgBouncer with few sessions in front of a database. */
export async function aPgBouncer(
  databaseUrl: string,
  { mode = 'transaction', sessions = 4, prepared = 0, role }: PoolerSettings = {},
): Promise<PgBouncer> {
  if (VERSION === null) {
    throw new Error(
      'PgBouncer is needed on the PATH or in PGBOUNCER_PATH: apt-get install pgbouncer',
    );
  }
  const directory = mkdtempSync(join(tmpdir(), 'satchel-pgbouncer-'));
  chmodSync(directory, 0o755);
  const port = await aFreePort();
  const file = join(directory, 'pgbouncer.ini');
  const users = join(directory, 'users.txt');
  const pooled = new URL(databaseUrl);
  const server = serverOf(pooled, role);
  writeFileSync(
    users,
    [...new Set([pooled.username, 'postgres'])].map((name) => `"${name}" ""\n`).join(''),
  );
  writeFileSync(file, configuration({ users, port, server, mode, sessions, prepared }));
  const child = started(file);
  const said: string[] = [];
  child.stderr?.on('data', (text: Buffer) => said.push(text.toString()));
  await until(
    async () => child.exitCode !== null || (await listens(port)),
    'a listening PgBouncer',
  );
  if (child.exitCode !== null) {
    throw new Error(`PgBouncer has ended: ${said.join('')}`);
  }
  const url = `postgres://${pooled.username}@127.0.0.1:${port}${pooled.pathname}`;
  const pooler: TransactionPooler = prepared > 0 ? 'transaction-prepared' : 'transaction';
  return {
    url,
    connection: { url, pooler },
    command: (statement) => command(port, statement),
    close: async () => {
      child.kill('SIGKILL');
      await (child.exitCode ?? child.signalCode ?? once(child, 'exit'));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Converts a URL to libpq parameters. For the embedded server, the `host` parameter contains the socket directory. */
function serverOf({ hostname, port, searchParams }: URL, role: string | undefined): string {
  const host = searchParams.get('host') ?? hostname;
  return `host=${host} port=${port || '5432'}${role === undefined ? '' : ` user=${role}`}`;
}

interface Configuration {
  readonly users: string;
  readonly port: string;
  readonly server: string;
  readonly mode: string;
  readonly sessions: number;
  readonly prepared: number;
}

const configuration = ({
  users,
  port,
  server,
  mode,
  sessions,
  prepared,
}: Configuration): string => `
[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
admin_users = postgres
pool_mode = ${mode}
default_pool_size = ${sessions}
max_client_conn = 500
${canKeepStatements ? `max_prepared_statements = ${prepared}` : ''}
`;

/** PgBouncer refuses to run as root. The database server's user has access to the folder of the server's socket. */
function started(file: string): ChildProcess {
  const words = getuid?.() === 0 ? ['-u', serverUser(), file] : [file];
  return spawn(PROGRAM, words, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
  });
}

function serverUser(): string {
  try {
    execFileSync('id', ['postgres'], { stdio: 'ignore' });
    return 'postgres';
  } catch {
    return 'nobody';
  }
}

function listens(port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .once('error', () => {
        resolve(false);
      });
  });
}

/** The console only supports the simple query protocol. */
async function command(port: string, statement: string): Promise<void> {
  const client = new pg.Client({
    ...{ host: '127.0.0.1', port: Number(port), user: 'postgres', database: 'pgbouncer' },
  });
  await client.connect();
  await client.query(statement);
  await client.end();
}
