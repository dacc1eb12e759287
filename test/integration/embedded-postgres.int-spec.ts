import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../src/embedded-postgres/embedded-postgres.js';
import { lockInstance } from '../../src/embedded-postgres/locks.js';
import { isAlive, killTree, until } from '../support/processes.js';

let template: string;
let directory: string;
let started: EmbeddedPostgres[];
let foreign: ChildProcess | undefined;

const cluster = (): string => join(directory, 'pg18');
const pidFile = (): string => join(cluster(), 'postmaster.pid');

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ directory, volatile: true, ...options });
  started.push(server);
  return server;
}

async function query(
  { connection }: EmbeddedPostgres,
  sql: string,
  database: string = connection.database,
): Promise<unknown[]> {
  const { host, port, username: user } = connection;
  const client = new pg.Client({ host, port, user, database });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const killServer = (): Promise<void> => killTree(parseInt(readFileSync(pidFile(), 'utf8')));

/** Makes the directory one that had its first start; copying is faster than initdb. */
const hadFirstStart = (): unknown => execFileSync('cp', ['-a', join(template, 'pg18'), directory]);

beforeAll(async () => {
  template = directory = await mkdtemp(join(tmpdir(), 'satchel-launcher-'));
  started = [];
  await (await start()).stop();
});

afterAll(() => rm(template, { recursive: true, force: true }));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'satchel-launcher-'));
  started = [];
});

afterEach(async () => {
  const sockets = started.map(({ connection }) => connection.host);
  for (const server of started) {
    await server.stop();
  }
  foreign?.kill('SIGKILL');
  foreign = undefined;
  for (const path of [directory, ...sockets]) {
    await rm(path, { recursive: true, force: true });
  }
});

describe('startEmbeddedPostgres', () => {
  it('creates the cluster at the first start and keeps its data', async () => {
    const first = await start();
    await query(first, 'CREATE TABLE kept AS SELECT 1 AS one');
    await first.stop();

    const second = await start();

    expect([first.created, second.created]).toEqual([true, false]);
    expect(await query(second, 'SELECT * FROM kept')).toEqual([{ one: 1 }]);
  });

  it('listens on a private socket only', async () => {
    hadFirstStart();
    const server = await start();

    const [row] = await query(
      server,
      `SELECT current_setting('listen_addresses') AS addresses, current_user AS owner`,
    );
    const socket = await stat(server.connection.host);

    expect(row).toEqual({ addresses: '', owner: 'satchel' });
    expect(socket.mode & 0o777).toBe(0o700);
    expect(socket.uid).toBe((await stat(cluster())).uid);
  });

  it('gives two starts at once the same server', async () => {
    const [one, two] = await Promise.all([start(), start()]);

    expect([one.created, two.created].sort()).toEqual([false, true]);
    expect(one.connection).toEqual(two.connection);
    expect(await query(two, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('keeps the server until the last of its users stops', async () => {
    hadFirstStart();
    const [one, two] = [await start(), await start()];

    await one.stop();
    const whileUsed = await query(two, 'SELECT 1 AS one');
    await two.stop();

    expect(whileUsed).toEqual([{ one: 1 }]);
    expect([pidFile(), two.connection.host].filter(existsSync)).toEqual([]);
  });

  it('ends the server when all its users stop at once', async () => {
    hadFirstStart();
    const servers = [await start(), await start(), await start()];

    await Promise.all(servers.map((server) => server.stop()));

    expect(existsSync(pidFile())).toBe(false);
  });

  it('keeps the server for a client that did not start it', async () => {
    hadFirstStart();
    const server = await start();
    const { host, port, username: user, database } = server.connection;
    const client = new pg.Client({ host, port, user, database });
    await client.connect();

    await server.stop();

    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await (await start()).stop();
  });

  it('takes over the server of a process that was killed', async () => {
    hadFirstStart();
    const killed = await start();
    await query(
      killed,
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'satchel-presence'`,
    );

    const next = await start();
    const rows = await query(next, 'SELECT 1 AS one');
    await next.stop();

    expect(next.connection).toEqual(killed.connection);
    expect(rows).toEqual([{ one: 1 }]);
    expect(existsSync(pidFile())).toBe(false);
  });

  it('recovers what was committed before every process was killed', async () => {
    hadFirstStart();
    const server = await start({ volatile: false });
    await query(server, 'CREATE TABLE kept AS SELECT 1 AS one');
    await killServer();

    const recovered = await start({ volatile: false });

    expect(recovered.created).toBe(false);
    expect(await query(recovered, 'SELECT * FROM kept')).toEqual([{ one: 1 }]);
  });

  it.each([
    ['another program', 'echo $$; exec sleep 600', true],
    ['a process nobody has reaped', 'sleep 0.1 & echo $!; exec sleep 600', false],
  ])('starts although %s has the id of a crashed server', async (_, script, isRunning) => {
    hadFirstStart();
    const server = await start();
    await killServer();
    const { uid, gid } = await stat(cluster());
    foreign = spawn('sh', ['-c', script], { uid, gid, stdio: ['ignore', 'pipe', 'ignore'] });
    const pid = String(await new Promise((resolve) => foreign?.stdout?.once('data', resolve)));
    await until(() => isAlive(Number(pid)) === isRunning, 'the foreign process');
    for (const file of [pidFile(), join(server.connection.host, '.s.PGSQL.5432.lock')]) {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+\n/, pid));
    }

    const again = await start();

    expect(await query(again, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
  });

  it('completes a first start that was killed before it made the database', async () => {
    hadFirstStart();
    const killed = await start();
    await query(killed, 'DROP DATABASE satchel', 'postgres');
    await killed.stop();

    const completed = await start();

    expect(await query(completed, 'SELECT current_database() AS name')).toEqual([
      { name: 'satchel' },
    ]);
  });

  it('says what to do with a cluster of another major version', async () => {
    hadFirstStart();
    await (await start()).stop();
    writeFileSync(join(cluster(), 'PG_VERSION'), '17\n');

    const refused = start();

    await expect(refused).rejects.toThrow(
      `${cluster()} was made by PostgreSQL 17, and Satchel ships 18: move the data with pg_dump`,
    );
  });

  it('shows the end of the log when the server does not start', async () => {
    hadFirstStart();
    const refused = start({ settings: { work_mem: 'much' } });

    await expect(refused).rejects.toThrow(/postgres\.log ends with[^]*invalid value.*work_mem/);
  });

  it.each([
    ['is open to others', (path: string) => mkdir(path, { mode: 0o755 })],
    ['is a link', (path: string) => symlink(cluster(), path)],
  ])('refuses a socket directory that %s', async (_, spoil) => {
    hadFirstStart();
    const { connection, stop } = await start();
    await stop();
    await spoil(connection.host);

    const refused = start();

    await expect(refused).rejects.toThrow(`${connection.host} is not a private directory`);
  });
});

describe('lockInstance', () => {
  it('is given to one service at a time', async () => {
    hadFirstStart();
    const { connection } = await start();
    const first = await lockInstance(connection, jest.fn());

    const second = await lockInstance(connection, jest.fn());
    await first?.release();
    const third = await lockInstance(connection, jest.fn());

    expect(first).toBeDefined();
    expect(second).toBeUndefined();
    expect(third).toBeDefined();
    await third?.release();
  });

  it('reports the end of the server, but not its own release', async () => {
    hadFirstStart();
    const server = await start();
    const [released, lost] = [jest.fn(), jest.fn()];
    await (await lockInstance(server.connection, released))?.release();
    await lockInstance(server.connection, lost);

    await killServer();
    await until(() => lost.mock.calls.length > 0, 'the loss of the lock');

    expect(lost).toHaveBeenCalledWith(expect.any(Error));
    expect(released).not.toHaveBeenCalled();
  });
});
