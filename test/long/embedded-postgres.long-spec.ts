import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import { lockInstance } from '../../src/lib/embedded-postgres/locks.js';
import { Launcher, rowsOf } from '../support/launcher.js';

let original: Launcher;
let launcher: Launcher;

beforeAll(async () => {
  original = await Launcher.afterFirstStart();
});
afterAll(() => original.close());
beforeEach(() => {
  launcher = original.copy();
});
afterEach(() => launcher.close());

describe('startEmbeddedPostgres', () => {
  it('creates the cluster once for two simultaneous first starts, and keeps its data', async () => {
    const fresh = new Launcher();
    const [one, two] = await Promise.all([fresh.start(), fresh.start()]);
    await rowsOf(one, 'CREATE TABLE kept AS SELECT 1 AS one');
    const rowsOfTwo = await rowsOf(two, 'SELECT * FROM kept');
    await Promise.all([one.stop(), two.stop()]);

    const next = await fresh.start();
    const kept = await rowsOf(next, 'SELECT * FROM kept');

    await fresh.close();
    expect([one.created, two.created].sort()).toEqual([false, true]);
    expect(one.connection).toEqual(two.connection);
    expect(next.created).toBe(false);
    expect([rowsOfTwo, kept]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  });

  it('listens only on a private socket', async () => {
    const server = await launcher.start();

    const [row] = await rowsOf(
      server,
      `SELECT current_setting('listen_addresses') AS addresses, current_user AS owner`,
    );
    const socket = await stat(server.connection.host);

    expect(row).toEqual({ addresses: '', owner: 'satchel' });
    expect(socket.mode & 0o777).toBe(0o700);
    expect(socket.uid).toBe((await stat(launcher.cluster)).uid);
  });

  it('keeps the server running until its last user stops', async () => {
    const [one, two] = [await launcher.start(), await launcher.start()];

    await one.stop();
    const whileUsed = await rowsOf(two, 'SELECT 1 AS one');
    await two.stop();

    expect(whileUsed).toEqual([{ one: 1 }]);
    expect([launcher.pidFile, two.connection.host].filter(existsSync)).toEqual([]);
  });

  it('stops the server when all its users stop at once', async () => {
    const servers = [await launcher.start(), await launcher.start(), await launcher.start()];

    await Promise.all(servers.map((server) => server.stop()));

    expect(launcher.isRunning).toBe(false);
  });

  it('keeps the server running for a connected client that did not start it', async () => {
    const server = await launcher.start();
    const { host, port, username: user, database } = server.connection;
    const client = new pg.Client({ host, port, user, database });
    await client.connect();

    await server.stop();

    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await (await launcher.start()).stop();
  });

  it('rejects a cluster that a newer version has upgraded', async () => {
    const newer = join(launcher.directory, 'pg19');
    mkdirSync(newer);
    writeFileSync(join(newer, 'PG_VERSION'), '19\n');

    const refused = launcher.start();

    await expect(refused).rejects.toThrow(
      `${newer} was made by PostgreSQL 19, and Satchel ships 18: install the newer version`,
    );
  });

  it('shows the end of the log if the server does not start', async () => {
    const refused = launcher.start({ settings: { work_mem: 'much' } });

    await expect(refused).rejects.toThrow(/postgres\.log ends with[^]*invalid value.*work_mem/);
  });

  it.each([
    ['is open to others', (path: string) => mkdir(path, { mode: 0o755 })],
    ['is a link', (path: string) => symlink(launcher.cluster, path)],
  ])('rejects a socket directory that %s', async (_, spoil) => {
    const { connection, stop } = await launcher.start();
    await stop();
    await spoil(connection.host);

    const refused = launcher.start();

    await expect(refused).rejects.toThrow(`${connection.host} is not a private directory`);
  });
});

describe('lockInstance', () => {
  it('grants the lock to one service at a time', async () => {
    const { connection } = await launcher.start();
    const first = await lockInstance(connection, jest.fn());

    const second = await lockInstance(connection, jest.fn());
    await first?.release();
    const third = await lockInstance(connection, jest.fn());

    expect(first).toBeDefined();
    expect(second).toBeUndefined();
    expect(third).toBeDefined();
    await third?.release();
  });
});
