import { DataSource } from 'typeorm';

import { isDatabaseAway } from '../../src/platform/database/database.errors.js';
import { Database } from '../../src/platform/database/database.js';
import { errorReportOf } from '../../src/platform/http/error-report.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { until } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';
import { wholePool } from '../support/whole-pool.js';

const POOL_SIZE = 3;

let database: TestDatabase;
let dataSource: DataSource;

/** Makes new sessions see a standby. */
const demote = async (): Promise<void> => {
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`CREATE SCHEMA standby; CREATE FUNCTION standby.pg_is_in_recovery() RETURNS boolean
    LANGUAGE sql AS 'SELECT true'; ALTER DATABASE ${name} SET search_path = standby, pg_catalog, public`);
  await endSessions();
};
const promote = () => database.query('DROP FUNCTION standby.pg_is_in_recovery()');
const endSessions = () =>
  database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );

beforeEach(async () => {
  database = await aDatabase({ isEmpty: true });
  dataSource = new DataSource(dataSourceOptions({ url: database.url }, POOL_SIZE));
});
afterEach(async () => {
  await (dataSource.isInitialized && dataSource.destroy());
  await database.drop();
});

describe('a standby server', () => {
  it('rejects a start with a temporary error until it is promoted', async () => {
    await demote();

    const refused: unknown = await dataSource.initialize().catch((error: unknown) => error);

    expect(errorReportOf(refused)).toMatchObject({ code: 'database_unavailable' });
    expect(isDatabaseAway(refused)).toBe(true);
    await promote();
    await expect(dataSource.initialize()).resolves.toBeDefined();
  });

  it('makes the pool report database_unavailable until it is promoted', async () => {
    const pool = new Database(await dataSource.initialize());
    await wholePool(pool, POOL_SIZE);
    const read = () =>
      pool.manager.query('SELECT 1').then(
        () => 'read',
        (error: unknown) => error,
      );

    await demote();
    // The pool may hand out a broken connection once before it notices.
    await until(async () => /standby/.test(String(await read())));
    const refused = await read();

    expect(errorReportOf(refused)).toMatchObject({
      code: 'database_unavailable',
      retryAfterSeconds: 1,
    });
    await promote();
    await wholePool(pool, POOL_SIZE);
  });
});
