import { DataSource } from 'typeorm';

import { Database } from '../../src/platform/database/database.js';
import { DatabaseClient } from '../../src/platform/database/database-client.js';
import { allowLongStatements, queryRows } from '../../src/platform/database/query-rows.js';
import { errorReportOf } from '../../src/platform/http/error-report.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { until } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';
import { wholePool } from '../support/whole-pool.js';

const POOL_SIZE = 3;
const ANSWER_TIMEOUT_MS = 1000;

let testDatabase: TestDatabase;
let proxy: DatabaseProxy;
let dataSource: DataSource;
let database: Database;

beforeAll(async () => {
  testDatabase = await aDatabase({ isEmpty: true });
  await testDatabase.query('CREATE TABLE words (word text)');
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  proxy = await aDatabaseProxy(testDatabase.url);
  dataSource = await new DataSource(
    dataSourceOptions(proxy.connection, POOL_SIZE, { answerTimeoutMillis: ANSWER_TIMEOUT_MS }),
  ).initialize();
  database = new Database(dataSource);
});
afterEach(async () => {
  await (dataSource.isInitialized && dataSource.destroy());
  await proxy.close();
});

const sleep = (seconds: number) => database.manager.query(`SELECT pg_sleep(${seconds})`);

describe('a database that stops responding without closing its connections', () => {
  it('causes database_unavailable, and can be used again when it responds again', async () => {
    await wholePool(database, POOL_SIZE);
    const inTransaction = database.transaction(async (manager) => {
      await manager.query(`INSERT INTO words VALUES ('lost')`);
      proxy.become('silent');
      await queryRows(manager, 'SELECT 1');
    });
    const outside = until(() => proxy.way === 'silent').then(() => sleep(0));

    const failures = await Promise.allSettled([inTransaction, outside]);

    const codes = failures.map((one) => errorReportOf(Reflect.get(one, 'reason')).code);
    expect(codes).toEqual(failures.map(() => 'database_unavailable'));
    proxy.become('open');
    await wholePool(database, POOL_SIZE);
    expect(await testDatabase.query('SELECT word FROM words')).toEqual([]);
  });

  it('does not break the pool if the connections were idle', async () => {
    await wholePool(database, POOL_SIZE);

    proxy.become('silent');
    proxy.become('open');

    await wholePool(database, POOL_SIZE);
  });

  it('is not assumed if a statement is sent at the end of a long pause', async () => {
    const client = new DatabaseClient({
      connectionString: testDatabase.url,
      answerTimeoutMillis: 60_000,
    });
    await client.connect();
    await client.query('SELECT 1');

    client.connection.stream.emit('timeout');
    const answer = client.query<Promise<{ rowCount: number }>>('SELECT 1');

    expect((await answer).rowCount).toBe(1);
    await client.end();
  });

  it('does not prevent the pool from closing', async () => {
    await wholePool(database, POOL_SIZE);
    proxy.become('silent');
    const failing = sleep(0).catch(errorReportOf);

    await expect(dataSource.destroy()).resolves.toBeUndefined();

    await expect(failing).resolves.toMatchObject({ code: 'database_unavailable' });
  });
});

describe('a slow database', () => {
  it('may exceed the time limit only in a transaction that allows long statements', async () => {
    const long = database.transaction(async (manager) => {
      await allowLongStatements(manager, 60);
      await manager.query(`SELECT pg_sleep(${(3 * ANSWER_TIMEOUT_MS) / 1000})`);
      return 'slept';
    });
    await expect(long).resolves.toBe('slept');

    await expect(sleep((3 * ANSWER_TIMEOUT_MS) / 1000)).rejects.toThrow('did not answer in time');
  });

  it('may exceed the time limit in total if each statement responds in time', async () => {
    // In total, three times the limit. Each answer is far below it.
    const naps = Array.from({ length: 15 }, () => ({
      text: `SELECT pg_sleep(${ANSWER_TIMEOUT_MS / 5000})`,
      values: [],
    }));

    const all = database.transaction((manager) =>
      Promise.all(naps.map((nap) => queryRows(manager, nap.text, nap.values))),
    );

    await expect(all).resolves.toHaveLength(15);
  });

  it('does not lose idle connections', async () => {
    await wholePool(database, POOL_SIZE);
    const { connections } = proxy;
    await new Promise((resolve) => setTimeout(resolve, 2 * ANSWER_TIMEOUT_MS));

    await wholePool(database, POOL_SIZE);

    expect(proxy.connections).toBe(connections);
  });
});
