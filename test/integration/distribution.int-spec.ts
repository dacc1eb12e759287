import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { TWO_PHASES_TABLE } from '../../src/platform/database/database.js';
import {
  distributeOverCitus,
  DistributionError,
  distributionOf,
} from '../../src/platform/database/distribution.js';
import { tablesAt } from '../../src/platform/database/table-places.js';
import { createBackup } from '../../src/transfer/backup/create-backup.js';
import { restoreBackup } from '../../src/transfer/backup/restore-backup.js';
import { CITUS } from '../support/citus-stub.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

describe('the distribution over Citus', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.drop());

  const distribute = () => distributeOverCitus(database.connection);
  const spread = () =>
    database.query<{ name: string; key: string | null; beside: string | null }>(
      'SELECT logicalrelid::text AS name, partkey AS key, beside FROM pg_dist_partition',
    );

  /** Returns the tables that still have rows on the local server. */
  const localRows = async (): Promise<string[]> => {
    const tables = await database.query<{ name: string }>(
      'SELECT name FROM unnest($1::text[]) AS name WHERE pg_relation_size(name::regclass) > 0',
      [tablesAt('personal')],
    );
    return tables.map(({ name }) => name);
  };

  it('is rejected without Citus, with the statement that installs it', async () => {
    await expect(distribute()).rejects.toThrow(DistributionError);
    await expect(distribute()).rejects.toThrow('CREATE EXTENSION citus');
  });

  it('creates reference tables, and tables distributed by user and colocated with lists', async () => {
    await database.query(CITUS);

    await distribute();

    expect(await spread()).toEqual([
      { name: TWO_PHASES_TABLE, key: null, beside: null },
      ...tablesAt('reference').map((name) => ({ name, key: null, beside: null })),
      ...tablesAt('personal').map((name) => ({
        ...{ name, key: 'user_id' },
        beside: name === 'lists' ? 'default' : 'lists',
      })),
    ]);
  });

  it('distributes functions before tables, and empties the local tables last', async () => {
    await database.query(CITUS);
    const tables = [...tablesAt('reference'), ...tablesAt('personal')];

    const statements = await distribute();

    const told = await database.query<{ said: string }>('SELECT said FROM told ORDER BY place');
    expect(told.map(({ said }) => said)).toEqual([
      TWO_PHASES_TABLE,
      ...['search_grams(bigint,text)', 'is_in_flight(xid)'],
      ...tables,
      ...tables.toReversed(),
    ]);
    expect(statements).toContain('ALTER TABLE lists DROP CONSTRAINT IF EXISTS lists_user_id_fkey');
    expect(statements).toContain(
      `SELECT create_distributed_table('items', 'user_id', colocate_with => 'lists')`,
    );
  });

  it('stores time limits in the role, and only until they hold on all servers', async () => {
    await database.query(CITUS);

    const limits = (await distribute()).filter((one) => one.startsWith('ALTER ROLE'));
    const after = (await distributionOf(database.connection))?.servers;

    expect(limits).toEqual([
      expect.stringContaining(`SET lock_timeout = '2s'`),
      expect.stringContaining(`SET idle_in_transaction_session_timeout = '10s'`),
    ]);
    expect(after).toEqual([
      { name: 'worker-1:5432', failure: undefined, hasLimits: true },
      { name: 'worker-2:5432', failure: undefined, hasLimits: true },
    ]);
  });

  it('lets no backup be written or restored', async () => {
    await database.query(CITUS);
    await distribute();
    const refusal = 'lists are distributed over several servers';
    const file = join(await mkdtemp(join(tmpdir(), 'satchel-')), 'backup');
    const handle = await open(file, 'w');

    await expect(createBackup(database.connection, handle, new Date())).rejects.toThrow(refusal);
    await handle.close();
    await expect(restoreBackup(database.connection, file, { force: true })).rejects.toThrow(
      refusal,
    );
    await rm(dirname(file), { recursive: true });
  });

  it('does nothing when it is repeated', async () => {
    await database.query(CITUS);
    await distribute();

    expect(await distribute()).toEqual([]);
  });

  it('continues after an interruption and leaves no local rows behind', async () => {
    await database.query(CITUS);
    await database.query(`
      INSERT INTO users (name, email, password_hash) VALUES ('Ada', 'ada@example.com', '');
      INSERT INTO lists (user_id) SELECT id FROM users;
      INSERT INTO tags (user_id, tag_id, number, name) SELECT id, 1, 1, 'mine' FROM users;
      ALTER TABLE tombstones ADD CONSTRAINT unfit UNIQUE (item_id)`);

    await expect(distribute()).rejects.toThrow('a unique key of tombstones');
    const before = await localRows();
    await database.query('ALTER TABLE tombstones DROP CONSTRAINT unfit');
    const statements = await distribute();

    expect(before).toEqual(expect.arrayContaining(['lists', 'tags']));
    expect(await localRows()).toEqual([]);
    expect(statements.filter((one) => one.includes('create_distributed_table'))[0]).toBe(
      `SELECT create_distributed_table('tombstones', 'user_id', colocate_with => 'lists')`,
    );
  });

  it('only empties the local tables that an interrupted run has left', async () => {
    await database.query(CITUS);
    await distribute();
    await database.query(`
      INSERT INTO users (name, email, password_hash) VALUES ('Ada', 'ada@example.com', '');
      INSERT INTO lists (user_id) SELECT id FROM users`);

    expect(await distribute()).toEqual([
      `SELECT truncate_local_data_after_distributing_table('lists')`,
    ]);
    expect(await localRows()).toEqual([]);
  });

  it('is rejected if a table is distributed differently', async () => {
    await database.query(CITUS);
    await database.query(`INSERT INTO pg_dist_partition VALUES ('items', 'item_id', 'default')`);

    await expect(distribute()).rejects.toThrow(
      'distributed otherwise than docs/host/scaling.md says: items',
    );
    expect(await spread()).toHaveLength(1);
  });
});
