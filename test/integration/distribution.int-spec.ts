import { distributeOverCitus, DistributionError } from '../../src/database/distribution.js';
import { tablesAt } from '../../src/database/table-places.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

/**
 * Stands for Citus, which is no part of PostgreSQL: its catalog and functions, which only note what they were told, and
 * refuse what its documentation says that it refuses.
 */
const CITUS = `
  CREATE TABLE pg_dist_partition (logicalrelid regclass, partkey text, beside text);
  CREATE TABLE told (place int GENERATED ALWAYS AS IDENTITY, said text);
  CREATE FUNCTION column_to_column_name(regclass, text) RETURNS text LANGUAGE sql AS 'SELECT $2';
  CREATE FUNCTION create_distributed_function(name text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN PERFORM name::regprocedure; INSERT INTO told (said) VALUES (name); END $$;
  CREATE FUNCTION create_reference_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO pg_dist_partition VALUES (name, NULL); INSERT INTO told (said) VALUES (name); END $$;
  CREATE FUNCTION create_distributed_table(name regclass, key text, colocate_with text DEFAULT 'default')
    RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = name) THEN
        RAISE 'table % is already distributed', name;
      END IF;
      IF EXISTS (SELECT FROM pg_index WHERE indrelid = name AND indisunique
          AND NOT (SELECT attnum FROM pg_attribute WHERE attrelid = name AND attname = key) = ANY (indkey)) THEN
        RAISE 'a unique key of % does not include the distribution column', name;
      END IF;
      IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conrelid = name
          AND confrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition)) THEN
        RAISE '% refers to a table that is not distributed', name;
      END IF;
      INSERT INTO pg_dist_partition VALUES (name, key, colocate_with);
      INSERT INTO told (said) VALUES (name);
    END $$;
  CREATE FUNCTION truncate_local_data_after_distributing_table(name regclass) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO told (said) VALUES (name); END $$;`;

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

  it('is refused where there is no Citus, in a sentence that says what to do', async () => {
    await expect(distribute()).rejects.toThrow(DistributionError);
    await expect(distribute()).rejects.toThrow('CREATE EXTENSION citus');
  });

  it('puts each table where it belongs, those beside lists that are of one user', async () => {
    await database.query(CITUS);

    await distribute();

    expect(await spread()).toEqual([
      ...tablesAt('reference').map((name) => ({ name, key: null, beside: null })),
      ...tablesAt('personal').map((name) => ({
        ...{ name, key: 'user_id' },
        beside: name === 'lists' ? 'default' : 'lists',
      })),
    ]);
  });

  it('gives functions to the servers before the tables, and empties the tables at last', async () => {
    await database.query(CITUS);
    const tables = [...tablesAt('reference'), ...tablesAt('personal')];

    const statements = await distribute();

    const told = await database.query<{ said: string }>('SELECT said FROM told ORDER BY place');
    expect(told.map(({ said }) => said)).toEqual([
      ...['search_grams(bigint,text)', 'is_in_flight(xid)'],
      ...tables,
      ...tables.toReversed(),
    ]);
    expect(statements[0]).toContain('DROP CONSTRAINT');
    expect(statements).toContain(
      `SELECT create_distributed_table('items', 'user_id', colocate_with => 'lists')`,
    );
  });

  it('does nothing a second time, and goes on where it was cut off', async () => {
    await database.query(CITUS);
    await distribute();

    expect(await distribute()).toEqual([]);

    await database.query(`DELETE FROM pg_dist_partition WHERE logicalrelid = 'tags'::regclass`);
    expect((await distribute()).filter((one) => one.includes('create_distributed_table'))).toEqual([
      `SELECT create_distributed_table('tags', 'user_id', colocate_with => 'lists')`,
    ]);
  });

  it('is refused where a table is distributed otherwise', async () => {
    await database.query(CITUS);
    await database.query(`INSERT INTO pg_dist_partition VALUES ('items', 'item_id', 'default')`);

    await expect(distribute()).rejects.toThrow(
      'distributed otherwise than docs/scaling.md says: items',
    );
    expect(await spread()).toHaveLength(1);
  });
});
