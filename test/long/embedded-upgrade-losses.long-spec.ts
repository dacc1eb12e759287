import { spawn } from 'node:child_process';
import { existsSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { DataSource } from 'typeorm';

import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { reasonOf } from '../../src/lib/util/reason.js';
import { copyDatabase } from '../../src/platform/database/copy-database.js';
import { unlimitedDataSourceOptions } from '../../src/platform/database/data-source.options.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import { runMigrations } from '../../src/platform/database/migrator.js';
import {
  createEarlierCluster,
  hasEarlierServer,
  onEarlierServer,
} from '../support/earlier-cluster.js';
import { Launcher, rowsOf } from '../support/launcher.js';
import { finished } from '../support/processes.js';
import { Installation } from '../support/service-process.js';

const UPGRADING = { copy: copyDatabase, report: () => Promise.resolve() };
const INSERT = `INSERT INTO users (name, email, password_hash) VALUES ('Ada', 'ada@example.com', 'x')`;
const MANY = `INSERT INTO users (name, email, password_hash)
  SELECT repeat('x', 100), id || '@example.com', 'x' FROM generate_series(1, 50000) AS id`;
const UPGRADE_ALONE = 'test/support/upgrade-alone.mjs';
const PAGE_BYTES = 8192;

const describeHere = hasEarlierServer() ? describe : describe.skip;

/** Creates an earlier database with the oldest migrations of this version, or with all. */
async function createEarlier(directory: string, count = MIGRATIONS.length): Promise<void> {
  await createEarlierCluster(directory);
  await onEarlierServer(directory, async (connection) => {
    const options = unlimitedDataSourceOptions({ ...connection, ssl: false }, 2);
    const migrations = MIGRATIONS.slice(0, count);
    const dataSource = await new DataSource({ ...options, migrations }).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
  });
}

describeHere('an upgrade of the embedded database', () => {
  let launcher: Launcher;

  beforeEach(() => {
    launcher = new Launcher();
  });
  afterEach(() => launcher.close());

  const path = (name: string): string => join(launcher.directory, name);

  const onEarlier = (sql: string, database?: string): Promise<unknown[]> =>
    onEarlierServer(launcher.directory, (connection) => rowsOf({ connection }, sql, database));

  const refusal = (): Promise<string> =>
    launcher.start({ upgrading: UPGRADING }).then(() => 'it started', reasonOf);

  const clusters = (): string[] =>
    readdirSync(launcher.directory).filter((name) => /^pg\d/.test(name));

  it('does not delete the earlier data if they have changed since', async () => {
    await createEarlier(launcher.directory);
    await (await launcher.start({ upgrading: UPGRADING })).stop();
    await onEarlier(INSERT);

    const next = await launcher.start({ upgrading: UPGRADING });
    const deleted = await next.deletePrevious();

    expect(next.previous).toEqual({ copied: [], kept: [path('pg17')] });
    expect(deleted).toEqual([]);
    expect(await onEarlier('SELECT name FROM users')).toEqual([{ name: 'Ada' }]);
  });

  it('is not disturbed by a second start that finds the start lock expired', async () => {
    await createEarlier(launcher.directory);
    await onEarlier(INSERT);
    const seconds: string[] = [];
    const report = async (progress: string): Promise<void> => {
      if (progress.startsWith('created an empty database')) {
        rmSync(path('starting.lock'), { recursive: true });
        const second = spawn(process.execPath, [UPGRADE_ALONE, launcher.directory, '0']);
        seconds.push((await finished(second)).stderr);
      }
    };

    const upgraded = await launcher.start({ upgrading: { ...UPGRADING, report } });

    expect(seconds).toEqual([expect.stringContaining('another program uses the database in')]);
    expect(await rowsOf(upgraded, 'SELECT name FROM users')).toEqual([{ name: 'Ada' }]);
  });

  it('copies a database that lacks the newest migrations, which then run', async () => {
    await createEarlier(launcher.directory, MIGRATIONS.length - 10);
    await onEarlier(INSERT);

    const upgraded = await launcher.start({ upgrading: UPGRADING });
    const executed = await runMigrations({ ...upgraded.connection, ssl: false });

    expect(executed).toHaveLength(10);
    expect(await rowsOf(upgraded, 'SELECT name FROM users')).toEqual([{ name: 'Ada' }]);
  });

  it('is refused if a table cannot be read completely', async () => {
    await createEarlier(launcher.directory);
    await onEarlier(MANY);
    const [{ file }] = (await onEarlier(`SELECT pg_relation_filepath('users') AS file`)) as [
      { file: string },
    ];
    const table = openSync(path(`pg17/${file}`), 'r+');
    writeSync(table, Buffer.alloc(16, 0xff), 0, 16, 300 * PAGE_BYTES);

    expect(await refusal()).toMatch(/pg17 is unchanged: invalid page in block 300 /);
    expect(clusters()).toEqual(['pg17']);
  });

  it.each([
    ['postgres', 'CREATE TABLE diary (id int)', 'tables', 'diary'],
    ['postgres', 'SELECT lo_create(4242)', 'large objects', '4242'],
    ['satchel', 'SELECT lo_create(4242)', 'large objects', '4242'],
    ['satchel', 'CREATE TABLE diary (id int)', 'tables and columns', 'diary'],
  ])('is refused if the database %s would lose: %s', async (database, statement, kind, name) => {
    await createEarlierCluster(launcher.directory);
    await onEarlier(statement, database);

    const reason = await refusal();

    expect(reason).toContain(`${kind} `);
    expect(reason).toContain(`do not belong to Satchel and would be lost: ${name}.`);
    expect(clusters()).toEqual(['pg17']);
  });
});

describeHere('the service after an upgrade', () => {
  let installation: Installation;

  beforeEach(() => {
    installation = new Installation();
  });
  afterEach(() => installation.close());

  it('does not delete the earlier data before its migrations have run', async () => {
    const directory = join(installation.dataDirectory, 'postgres');
    await createEarlier(directory, MIGRATIONS.length - 1);
    const upgraded = await startEmbeddedPostgres({ directory, upgrading: UPGRADING });
    await rowsOf(upgraded, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await upgraded.stop();

    const service = installation.start();
    const { code, stderr } = await service.ended;

    expect(code).toBe(1);
    expect(stderr).toContain('read-only transaction; tried again in');
    expect(existsSync(join(directory, 'pg17'))).toBe(true);
  });

  it('deletes the earlier data at its second start', async () => {
    const directory = join(installation.dataDirectory, 'postgres');
    await createEarlier(directory);
    const first = await installation.started();
    first.kill('SIGTERM');
    await first.ended;
    const isThere = existsSync(join(directory, 'pg17'));

    const second = await installation.started();

    expect([isThere, existsSync(join(directory, 'pg17'))]).toEqual([true, false]);
    expect(second.stderr).toContain('deleted the database from before the upgrade');
  });
});
