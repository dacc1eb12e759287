import pg from 'pg';
import { DataSource } from 'typeorm';

import type { Connection } from '../../src/platform/database/data-source.options.js';
import {
  SharedSessionsError,
  UnfitPoolerError,
} from '../../src/platform/database/database.errors.js';
import { setUpSession } from '../../src/platform/database/database-client.js';
import { requireOwnSessions, withDataSource } from '../../src/platform/database/migrator.js';
import {
  examinePooledSessions,
  keepsPreparedStatements,
  prepareDatabase,
} from '../../src/platform/database/pooled-sessions.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aPooler, type Pooler } from '../support/pooler.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const LIMITS = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
  current_setting('plan_cache_mode') AS plan`;

let database: TestDatabase;
let pooler: Pooler;
let connection: Connection;
let direct: Connection;

beforeEach(async () => {
  database = await aDatabase();
  pooler = await aPooler(database.url, 'transaction');
  connection = { ...pooler.connection, pooler: 'transaction' };
  direct = { url: database.url, variable: 'DATABASE_DIRECT_URL' };
});
afterEach(async () => {
  await pooler.close();
  await database.drop();
});

const unfit = (text: RegExp) =>
  expect.objectContaining({ constructor: UnfitPoolerError, message: expect.stringMatching(text) });

describe('a pooler in transaction mode', () => {
  it('provides sessions with the limits of the service, even if they were opened before', async () => {
    const older = new pg.Client(pooler.connection.url);
    await older.connect();
    await older.query('SELECT 1');
    await older.end();

    await prepareDatabase({ connection, direct });

    const dataSource = await new DataSource(dataSourceOptions(connection, 2)).initialize();
    const limits = await dataSource.query<object[]>(LIMITS);
    await dataSource.destroy();
    expect(limits).toEqual([{ statement: '5s', lock: '2s', plan: 'force_generic_plan' }]);
    await expect(examinePooledSessions({ connection, direct })).resolves.toBeUndefined();
  });

  it('is rejected if only a client has set the limits of its sessions', async () => {
    const clients = [1, 2, 3].map(() => new pg.Client(pooler.connection.url));
    for (const client of clients) {
      await client.connect();
      await client.query('BEGIN');
      await setUpSession(client);
    }
    for (const client of clients) {
      await client.query('COMMIT');
      await client.end();
    }

    await expect(examinePooledSessions({ connection, direct })).rejects.toEqual(
      unfit(/lack idle_in_transaction_session_timeout, jit, .*ALTER ROLE .* SET jit = 'off'/),
    );
  });

  it('is rejected if it logs in as a role that the direct connection cannot alter', async () => {
    const role = `${new URL(database.url).pathname.slice(1)}_owner`;
    await database.query(`CREATE ROLE ${role} LOGIN`);
    await database.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    const other = { ...direct, url: Object.assign(new URL(database.url), { username: role }).href };

    await expect(prepareDatabase({ connection, direct: other })).rejects.toEqual(
      unfit(/lack .* as an administrator ALTER ROLE "[^"]+" IN DATABASE .*; then RECONNECT/),
    );

    await database.query(`DROP OWNED BY ${role}`);
    await database.query(`DROP ROLE ${role}`);
  });

  it('is rejected if the direct connection cannot end its older sessions', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const [owner, pooled] = [`${name}_owner`, `${name}_pooled`];
    await database.query(`CREATE ROLE ${owner} LOGIN CREATEROLE; GRANT pg_monitor TO ${owner};
      GRANT ALL ON ALL TABLES IN SCHEMA public TO ${owner};
      SET ROLE ${owner}; CREATE ROLE ${pooled} LOGIN; RESET ROLE`);
    const as = (username: string): string =>
      Object.assign(new URL(database.url), { username }).href;
    const other = await aPooler(as(pooled), 'transaction');

    await expect(
      prepareDatabase({
        connection: { ...other.connection, pooler: 'transaction' },
        direct: { ...direct, url: as(owner) },
      }),
    ).rejects.toEqual(unfit(/lack .*; then RECONNECT/));

    await other.close();
    await database.query(`DROP OWNED BY ${owner}, ${pooled}; DROP ROLE ${pooled}, ${owner}`);
  });

  it('is rejected if it keeps no prepared statements although the setting requires them', async () => {
    await prepareDatabase({ connection, direct });

    expect(await keepsPreparedStatements(connection)).toBe(false);
    await expect(
      prepareDatabase({ connection: { ...connection, pooler: 'transaction-prepared' }, direct }),
    ).rejects.toEqual(unfit(/keep prepared statements: set DATABASE_POOLER=transaction, /));
  });

  it('is rejected if it is in statement mode instead', async () => {
    const other = await aPooler(database.url, 'statement');

    await expect(
      prepareDatabase({ connection: { ...other.connection, pooler: 'transaction' }, direct }),
    ).rejects.toEqual(unfit(/pool_mode = statement, .*set it to transaction/));
    await other.close();
  });
});

/**
 * While the service looks for the database behind the pooler, simulates the start of another instance, which ends the
 * pooler's connections.
 */
const ANOTHER_STARTS = `
  CREATE SCHEMA meanwhile; CREATE SEQUENCE meanwhile.looks;
  CREATE FUNCTION meanwhile.pg_backend_pid() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('meanwhile.looks') = 2 THEN
      PERFORM pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle' AND application_name IN ('satchel', '');
    END IF;
    RETURN pg_catalog.pg_backend_pid();
  END $$`;

describe('the direct connection past a pooler', () => {
  it('is accepted while another instance starts', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.query(ANOTHER_STARTS);
    await database.query(`ALTER DATABASE ${name} SET search_path = meanwhile, pg_catalog, public`);

    await expect(requireOwnSessions(direct)).resolves.toBeUndefined();

    expect(await database.query('SELECT last_value FROM meanwhile.looks')).not.toEqual([
      { last_value: '1' },
    ]);
  });

  it('is rejected if it reaches another database, which stays unchanged', async () => {
    const other = await aDatabase({ isEmpty: true });

    await expect(
      prepareDatabase({ connection, direct: { ...direct, url: other.url } }),
    ).rejects.toEqual(
      unfit(/^DATABASE_DIRECT_URL leads to database .*, and the pooler .* another/),
    );

    expect(await other.query(`SELECT relname FROM pg_class WHERE relname = 'users'`)).toEqual([]);
    await other.drop();
  });

  it('is rejected if it goes through the pooler too', async () => {
    const through: Connection = { ...pooler.connection, variable: 'DATABASE_DIRECT_URL' };

    await expect(prepareDatabase({ connection, direct: through })).rejects.toEqual(
      expect.objectContaining({
        constructor: SharedSessionsError,
        message: expect.stringMatching(/behind DATABASE_DIRECT_URL .*past the pooler/),
      }),
    );
  });

  it('has no session limits, even if its role has them', async () => {
    await prepareDatabase({ connection, direct });

    const limits = await withDataSource(direct, (dataSource) => dataSource.query<object[]>(LIMITS));
    expect(limits).toEqual([{ statement: '0', lock: '0', plan: 'auto' }]);
  });
});
