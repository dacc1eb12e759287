import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';

import { unlimitedDataSourceOptions } from '../../src/platform/database/data-source.options.js';
import { sqlState } from '../../src/platform/database/database.errors.js';
import { Database } from '../../src/platform/database/database.js';
import { errorReportOf } from '../../src/platform/http/error-report.js';
import { aBarrier, aGate } from '../support/barrier.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { until } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';
import { wholePool } from '../support/whole-pool.js';

const POOL_SIZE = 4;
const OURS = `FROM pg_stat_activity WHERE application_name = 'satchel' AND datname = current_database()`;

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

const add = (manager: EntityManager, name: string): Promise<unknown> =>
  manager.query('UPDATE accounts SET cents = cents + 1 WHERE name = $1', [name]);
const accounts = async (): Promise<Record<string, number>> => {
  const rows = await testDatabase.query<{ name: string; cents: number }>('SELECT * FROM accounts');
  return Object.fromEntries(rows.map(({ name, cents }) => [name, cents]));
};
const raise = (manager: EntityManager, state: string): Promise<unknown> =>
  manager.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`);
const terminateAll = (): Promise<unknown> =>
  testDatabase.query(`SELECT pg_terminate_backend(pid) ${OURS}`);

/** Fails unless every connection of the pool is free again. */
const expectWholePool = (): Promise<void> => wholePool(database, POOL_SIZE);

describe('Database.transaction', () => {
  it('commits the changes of the callback and returns its result', async () => {
    const result = await database.transaction(async (manager) => {
      await add(manager, 'a');
      await add(manager, 'b');
      return 'done';
    });

    expect(result).toBe('done');
    expect(await accounts()).toEqual({ a: 1, b: 1 });
  });

  it('rolls back and rejects with the error of the callback', async () => {
    const reason = new Error('no');

    const failing = database.transaction(async (manager) => {
      await add(manager, 'a');
      throw reason;
    });

    await expect(failing).rejects.toBe(reason);
    expect(await accounts()).toEqual({ a: 0, b: 0 });
  });

  it('hides uncommitted changes from other connections', async () => {
    await database.transaction(async (manager) => {
      await add(manager, 'a');

      expect(await accounts()).toEqual({ a: 0, b: 0 });
    });
  });

  it('retries one of two transactions after a deadlock', async () => {
    const bothHoldOne = aBarrier(2);
    const transfers: Promise<void>[] = [];
    let attempts = 0;
    const transfer = (first: string, second: string) =>
      database.transaction(async (manager) => {
        attempts += 1;
        // Waits, because a repeat that overtakes the other transfer could deadlock a second time.
        if (attempts > 2) {
          await Promise.race(transfers);
        }
        // Disables other timeouts, so that only PostgreSQL's deadlock check ends the wait. It runs after a second.
        await manager.query('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0');
        await add(manager, first);
        await bothHoldOne();
        await add(manager, second);
      });

    transfers.push(transfer('a', 'b'), transfer('b', 'a'));
    await Promise.all(transfers);

    expect(attempts).toBe(3);
    expect(await accounts()).toEqual({ a: 2, b: 2 });
  });

  it('retries a transaction after a serialization failure', async () => {
    const bothHaveRead = aBarrier(2);
    let attempts = 0;
    const increment = () =>
      database.transaction(async (manager) => {
        attempts += 1;
        await manager.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
        const [row] = await manager.query<{ cents: number }[]>(
          `SELECT cents FROM accounts WHERE name = 'a'`,
        );
        await bothHaveRead();
        await manager.query(`UPDATE accounts SET cents = $1 WHERE name = 'a'`, [row!.cents + 1]);
      });

    await Promise.all([increment(), increment()]);

    expect(attempts).toBe(3);
    expect(await accounts()).toEqual({ a: 2, b: 0 });
  });

  it.each(['40P01', '40001'])('gives up after three attempts that fail with %s', async (state) => {
    let attempts = 0;

    const failing = database.transaction(async (manager) => {
      attempts += 1;
      await add(manager, 'a');
      await raise(manager, state);
    });

    expect(sqlState(await failing.catch((error: unknown) => error))).toBe(state);
    expect(attempts).toBe(3);
    expect(await accounts()).toEqual({ a: 0, b: 0 });
  });

  it.each(['23505', '22003', '55P03', '57014', '25P02'])('does not retry on %s', async (state) => {
    let attempts = 0;

    const failing = database.transaction(async (manager) => {
      attempts += 1;
      await raise(manager, state);
    });

    await expect(failing).rejects.toThrow();
    expect(attempts).toBe(1);
  });

  it('returns all connections to the pool after failures', async () => {
    const failures = Array.from({ length: 5 * POOL_SIZE }, () =>
      database.transaction((manager) => raise(manager, '23505')),
    );

    await Promise.allSettled(failures);

    await expectWholePool();
  });
});

describe('Database.manager', () => {
  it('sees committed changes in each statement', async () => {
    const look = () =>
      database.manager.query<unknown[]>(`SELECT cents FROM accounts WHERE name = 'a'`);
    const before = await look();
    await testDatabase.query('UPDATE accounts SET cents = 7');

    const seen = [before, await look()];

    expect(seen).toEqual([[{ cents: 0 }], [{ cents: 7 }]]);
  });
});

describe('a database session', () => {
  const settings = (source: DataSource) =>
    source.query<unknown[]>(
      `SELECT name, setting FROM pg_settings WHERE name IN
       ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`,
    );

  it('has time limits for statements, locks and idle transactions', async () => {
    expect(await settings(dataSource)).toEqual([
      { name: 'idle_in_transaction_session_timeout', setting: '10000' },
      { name: 'lock_timeout', setting: '2000' },
      { name: 'statement_timeout', setting: '5000' },
    ]);
  });

  it('has no time limits for migrations', async () => {
    const unlimited = await new DataSource(
      unlimitedDataSourceOptions(testDatabase.connection, 1),
    ).initialize();

    const found = await settings(unlimited);

    await unlimited.destroy();
    expect(found).toEqual(found.map(() => expect.objectContaining({ setting: '0' })));
  });

  it('stops waiting for a lock at the limit and reports service_busy', async () => {
    const holder = new pg.Client({ connectionString: testDatabase.url });
    await holder.connect();
    await holder.query(`BEGIN; UPDATE accounts SET cents = 1 WHERE name = 'a'`);

    const refused = await database.transaction((manager) => add(manager, 'a')).catch(errorReportOf);

    await holder.end();
    expect(refused).toMatchObject({ code: 'service_busy', retryAfterSeconds: 1 });
    expect(await accounts()).toEqual({ a: 0, b: 0 });
  });
});

describe('the connection pool', () => {
  it('reports database_unavailable if a caller waits too long for a connection', async () => {
    const held = aGate();
    const taken = aBarrier(POOL_SIZE + 1);
    const holders = Array.from({ length: POOL_SIZE }, () =>
      database.transaction(async () => {
        await taken();
        await held.opened;
      }),
    );
    await taken();

    const refused = await database.manager.query('SELECT 1').catch(errorReportOf);

    held.open();
    await Promise.all(holders);
    expect(refused).toMatchObject({ code: 'database_unavailable' });
  });

  it('replaces connections that ended while they were idle', async () => {
    await expectWholePool();
    await terminateAll();
    await until(async () => (await testDatabase.query(`SELECT 1 ${OURS}`)).length === 0);

    await expectWholePool();
  });

  it('rolls back and reports database_unavailable if a connection ends during a transaction', async () => {
    const failure = await database
      .transaction(async (manager) => {
        await add(manager, 'a');
        await terminateAll();
        await add(manager, 'b');
      })
      .catch(errorReportOf);

    expect(failure).toMatchObject({ code: 'database_unavailable' });
    expect(await accounts()).toEqual({ a: 0, b: 0 });
    await expectWholePool();
  });

  it('loses no acknowledged write while connections are terminated', async () => {
    let acknowledged = 0;
    const codes = new Set<string>();
    const writer = async (): Promise<void> => {
      for (let round = 0; round < 60 || codes.size === 0; round += 1) {
        await database
          .transaction((manager) => add(manager, 'a'))
          .then(
            () => (acknowledged += 1),
            (error: unknown) => {
              const { code } = errorReportOf(error);
              return codes.add(code === 'internal_error' ? String(error) : code);
            },
          );
      }
    };
    const writing = Promise.all(Array.from({ length: POOL_SIZE }, writer));
    let isOver = false;
    void writing.then(() => (isOver = true));

    await until(async () => {
      await terminateAll();
      return isOver;
    });

    const { a = 0 } = await accounts();
    expect([...codes]).toEqual(['database_unavailable']);
    expect(a).toBeGreaterThanOrEqual(acknowledged);
    await expectWholePool();
  });
});
