import { DataSource } from 'typeorm';

import { sqlState } from '../../src/platform/database/database.errors.js';
import { Database } from '../../src/platform/database/database.js';
import {
  allowLongStatements,
  queryRows,
  type Statement,
} from '../../src/platform/database/query-rows.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';
import { wholePool } from '../support/whole-pool.js';

const POOL_SIZE = 4;

let testDatabase: TestDatabase;
let dataSource: DataSource;
let database: Database;

beforeAll(async () => {
  testDatabase = await aDatabase();
  await testDatabase.query('CREATE TABLE accounts (name text PRIMARY KEY, cents int NOT NULL)');
  await testDatabase.query(`INSERT INTO accounts VALUES ('a', 0), ('b', 0)`);
  dataSource = await new DataSource(
    dataSourceOptions(testDatabase.connection, POOL_SIZE),
  ).initialize();
  database = new Database(dataSource);
});
beforeEach(() => testDatabase.query('UPDATE accounts SET cents = 0'));
afterAll(async () => {
  await dataSource.destroy();
  await testDatabase.drop();
});

const plain = (text: string): Statement => ({ text, values: [] });
const ADD = plain(`UPDATE accounts SET cents = cents + 1`);
const cents = (): Promise<object[]> =>
  testDatabase.query('SELECT name, cents FROM accounts ORDER BY name');

describe('statements of a transaction that are not awaited', () => {
  it('run in the order of the calls', async () => {
    const set = (value: number): Statement => ({
      text: `UPDATE accounts SET cents = $1 WHERE name = 'a' RETURNING cents`,
      values: [value],
    });
    const read = plain(`SELECT cents FROM accounts WHERE name = 'a'`);

    const seen = await database.transaction((manager) =>
      Promise.all(
        [set(1), read, set(2), read].map((one) => queryRows(manager, one.text, one.values)),
      ),
    );

    expect(seen.flat()).toEqual([{ cents: 1 }, { cents: 1 }, { cents: 2 }, { cents: 2 }]);
  });

  it('have the time limit that an earlier statement has set', async () => {
    const limit = plain(`SELECT current_setting('statement_timeout') AS time`);

    const [, seen] = await database.transaction((manager) =>
      Promise.all([allowLongStatements(manager, 20), queryRows(manager, limit.text, limit.values)]),
    );

    expect(seen).toEqual([{ time: '20s' }]);
  });

  it('are rolled back if one of them fails, and the error is thrown', async () => {
    const fail = plain(`INSERT INTO accounts VALUES ('a', 0)`);

    const work = database.transaction((manager) =>
      Promise.all([ADD, fail, ADD].map((one) => queryRows(manager, one.text, one.values))),
    );

    await expect(work.catch(sqlState)).resolves.toBe('23505');
    expect(await cents()).toEqual([
      { name: 'a', cents: 0 },
      { name: 'b', cents: 0 },
    ]);
    await wholePool(database, POOL_SIZE);
  });

  it('all reject with the error and the text of the first one', async () => {
    const fail = plain(`INSERT INTO accounts VALUES ('a', 0)`);

    const ends = await database
      .transaction(async (manager) => {
        const all = await Promise.allSettled(
          [fail, ADD, ADD].map((one) => queryRows(manager, one.text, one.values)),
        );
        return Promise.reject(new AggregateError(all.map((one) => Reflect.get(one, 'reason'))));
      })
      .catch((error: unknown) => (error instanceof AggregateError ? error.errors : []));

    expect(ends.map(sqlState)).toEqual(['23505', '23505', '23505']);
    expect(ends.map((end) => Reflect.get(Object(end), 'query'))).toEqual(
      [fail, fail, fail].map(({ text }) => text),
    );
  });

  it('all fail when the connection ends', async () => {
    const end = plain(`SELECT pg_terminate_backend(pg_backend_pid())`);

    const ends = await database
      .transaction((manager) =>
        Promise.allSettled(
          [ADD, end, ADD, ADD].map((one) => queryRows(manager, one.text, one.values)),
        ),
      )
      .catch((error: unknown) => error);

    expect(ends).toBeInstanceOf(Error);
    expect(await cents()).toEqual([
      { name: 'a', cents: 0 },
      { name: 'b', cents: 0 },
    ]);
    await wholePool(database, POOL_SIZE);
  });
});

describe('a statement with values', () => {
  const PREPARED = `SELECT count(*)::int AS count FROM pg_prepared_statements`;
  const sum = (to: number): string => `SELECT $1::int + ${to} AS sum`;

  it('is prepared once per session, whichever method of TypeORM runs it', async () => {
    const texts = await database.transaction(async (manager) => {
      await queryRows(manager, sum(1), [1]);
      await manager.query(sum(1), [2]);
      const accounts = manager.createQueryBuilder().from('accounts', 'a').select('a.cents');
      await accounts.where('a.name = :name', { name: 'a' }).getRawMany();
      await accounts.where('a.name = :name', { name: 'b' }).getRawMany();
      await manager.query('SELECT 1');
      return manager.query<{ statement: string }[]>(
        `SELECT statement FROM pg_prepared_statements WHERE statement ~ 'sum|a[.]cents|SELECT 1'`,
      );
    });

    expect(texts.map(({ statement }) => statement).toSorted()).toEqual([
      sum(1),
      'SELECT a.cents FROM "accounts" "a" WHERE a.name = $1',
    ]);
  });

  it('is not prepared if the session already has too many prepared statements', async () => {
    const [sums, prepared] = await database.transaction(async (manager) => {
      const rows: { sum: number }[] = [];
      for (let to = 0; to < 600; to += 1) {
        rows.push(...(await queryRows<{ sum: number }>(manager, sum(to), [1])));
      }
      const [row] = await manager.query<{ count: number }[]>(PREPARED);
      return [rows.map((one) => one.sum), row?.count];
    });

    expect(sums).toEqual(Array.from({ length: 600 }, (_, to) => to + 1));
    expect(prepared).toBeGreaterThan(400);
    expect(prepared).toBeLessThanOrEqual(500);
  });
});
