import { DataSource } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source.options.js';
import { Database } from '../../src/database/database.js';
import { sqlState } from '../../src/database/database-fault.js';
import { allowLongStatements, run, type Statement } from '../../src/database/statements.js';
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

describe('statements of a transaction that nobody waits for', () => {
  it('run in the order of the calls', async () => {
    const set = (value: number): Statement => ({
      text: `UPDATE accounts SET cents = $1 WHERE name = 'a' RETURNING cents`,
      values: [value],
    });
    const read = plain(`SELECT cents FROM accounts WHERE name = 'a'`);

    const seen = await database.write((manager) =>
      Promise.all([set(1), read, set(2), read].map((one) => run(manager, one))),
    );

    expect(seen.flat()).toEqual([{ cents: 1 }, { cents: 1 }, { cents: 2 }, { cents: 2 }]);
  });

  it('may take as long as the one that goes ahead of them allows', async () => {
    const limit = plain(`SELECT current_setting('statement_timeout') AS time`);

    const [, seen] = await database.write((manager) =>
      Promise.all([allowLongStatements(manager, 20), run(manager, limit)]),
    );

    expect(seen).toEqual([{ time: '20s' }]);
  });

  it('are rolled back when one of them fails, which is told', async () => {
    const fail = plain(`INSERT INTO accounts VALUES ('a', 0)`);

    const work = database.write((manager) =>
      Promise.all([ADD, fail, ADD].map((one) => run(manager, one))),
    );

    await expect(work.catch(sqlState)).resolves.toBe('23505');
    expect(await cents()).toEqual([
      { name: 'a', cents: 0 },
      { name: 'b', cents: 0 },
    ]);
    await wholePool(database, POOL_SIZE);
  });

  it('tell the error that came first, whichever of them is heard first', async () => {
    const fail = plain(`INSERT INTO accounts VALUES ('a', 0)`);

    const ends = await database
      .write(async (manager) => {
        const all = await Promise.allSettled([fail, ADD, ADD].map((one) => run(manager, one)));
        return Promise.reject(new AggregateError(all.map((one) => Reflect.get(one, 'reason'))));
      })
      .catch((error: unknown) => (error instanceof AggregateError ? error.errors : []));

    expect(ends.map(sqlState)).toEqual(['23505', '23505', '23505']);
  });

  it('all fail when the connection ends', async () => {
    const end = plain(`SELECT pg_terminate_backend(pg_backend_pid())`);

    const ends = await database
      .write((manager) => Promise.allSettled([ADD, end, ADD, ADD].map((one) => run(manager, one))))
      .catch((error: unknown) => error);

    expect(ends).toBeInstanceOf(Error);
    expect(await cents()).toEqual([
      { name: 'a', cents: 0 },
      { name: 'b', cents: 0 },
    ]);
    await wholePool(database, POOL_SIZE);
  });
});
