import { openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { DataSource } from 'typeorm';

import { reasonOf } from '../../src/lib/util/reason.js';
import { copyDatabase } from '../../src/platform/database/copy-database.js';
import { unlimitedDataSourceOptions } from '../../src/platform/database/data-source.options.js';
import { MIGRATIONS } from '../../src/platform/database/migrations.js';
import {
  createEarlierCluster,
  hasEarlierServer,
  onEarlierServer,
} from '../support/earlier-cluster.js';
import { Launcher, rowsOf } from '../support/launcher.js';

const UPGRADING = { copy: copyDatabase, report: () => Promise.resolve() };
const MANY = `INSERT INTO users (name, email, password_hash)
  SELECT repeat('x', 100), id || '@example.com', 'x' FROM generate_series(1, 50000) AS id`;
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
