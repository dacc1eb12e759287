import { DataSource } from 'typeorm';

import { SharedSessionsError } from '../../src/platform/database/database.errors.js';
import { requireOwnSessions, runMigrations } from '../../src/platform/database/migrator.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aPooler, type Pooler } from '../support/pooler.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

let testDatabase: TestDatabase;
let pooler: Pooler;

beforeAll(async () => {
  testDatabase = await aDatabase();
});
afterEach(() => pooler.close());
afterAll(() => testDatabase.drop());

describe('a pooler in session mode that rejects startup parameters', () => {
  beforeEach(async () => {
    pooler = await aPooler(testDatabase.url, 'session');
  });

  it('is accepted and provides sessions with the limits of the service', async () => {
    await expect(requireOwnSessions(pooler.connection)).resolves.toBeUndefined();

    const dataSource = await new DataSource(dataSourceOptions(pooler.connection, 1)).initialize();
    const settings = await dataSource.query<object[]>(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
              current_setting('plan_cache_mode') AS plan`,
    );
    await dataSource.destroy();
    expect(settings).toEqual([{ statement: '5s', lock: '2s', plan: 'force_generic_plan' }]);
  });

  it('allows migrations to run', async () => {
    await expect(runMigrations(pooler.connection)).resolves.toEqual([]);
  });

  it('causes an error that names an unsupported parameter and what to change', async () => {
    const url = `${pooler.connection.url}?options=-c%20search_path%3Dsatchel`;

    await expect(runMigrations({ url })).rejects.toThrow(
      /^the database cannot be reached: unsupported startup parameter: options: .*ignore_startup_parameters/,
    );
  });
});

describe.each(['transaction', 'statement'] as const)('a pooler in %s mode', (mode) => {
  beforeEach(async () => {
    pooler = await aPooler(testDatabase.url, mode);
  });

  it('is rejected before anything is locked or changed', async () => {
    await expect(runMigrations(pooler.connection)).rejects.toThrow(SharedSessionsError);

    const locks = await testDatabase.query(
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database =
         (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(locks).toEqual([]);
  });
});

describe('a server without a pooler', () => {
  it('provides a separate session for each connection', async () => {
    await expect(requireOwnSessions(testDatabase.connection)).resolves.toBeUndefined();
  });
});
