import { DataSource, LessThan, type Repository } from 'typeorm';

import { KnownLogin } from '../../src/auth/entities/known-login.entity.js';
import { deleteInBatches } from '../../src/platform/database/delete-in-batches.js';
import { ThrottleCounter } from '../../src/platform/throttling/entities/throttle-counter.entity.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const BATCH = 100;

let database: TestDatabase;
let instances: DataSource[];
let here: Repository<ThrottleCounter>;
let elsewhere: Repository<ThrottleCounter>;

beforeAll(async () => {
  database = await aDatabase();
  const open = () => new DataSource(dataSourceOptions(database.connection, 5)).initialize();
  instances = await Promise.all([open(), open()]);
  [here, elsewhere] = instances.map((instance) => instance.getRepository(ThrottleCounter)) as [
    Repository<ThrottleCounter>,
    Repository<ThrottleCounter>,
  ];
  await database.query(`CREATE TABLE batches (deleted integer)`);
  await database.query(`
    CREATE FUNCTION note_batch() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO batches SELECT count(*) FROM gone; RETURN NULL; END $$`);
  await database.query(`
    CREATE TRIGGER note_batch AFTER DELETE ON throttle_counters REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION note_batch()`);
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.destroy()));
  await database.drop();
});
beforeEach(() => database.query('TRUNCATE throttle_counters, batches'));

/** Stores counters that end before NOW, and one that ends at NOW. */
const stored = (old: number): Promise<unknown> =>
  database.query(
    `INSERT INTO throttle_counters (key, hits, expires_at)
     SELECT 'key-' || n, 1, $2::timestamptz - make_interval(secs => n) FROM generate_series(0, $1::int) n`,
    [old, NOW],
  );
const keys = async (): Promise<string[]> => {
  const rows = await here.find({ order: { key: 'ASC' } });
  return rows.map(({ key }) => key);
};
const OLD = { expiresAt: LessThan(NOW) };

describe('deleteInBatches', () => {
  it('deletes all rows that match, a limited number at once, also on two instances', async () => {
    await stored(950);

    const deleted = await Promise.all([
      deleteInBatches(here, OLD, BATCH),
      deleteInBatches(elsewhere, OLD, BATCH),
    ]);

    const batches = await database.query<{ deleted: number }>('SELECT deleted FROM batches');
    expect(deleted[0] + deleted[1]).toBe(950);
    expect(Math.max(...batches.map((batch) => batch.deleted))).toBe(BATCH);
    expect(await keys()).toEqual(['key-0']);
  });

  it('keeps a row that another transaction changes meanwhile', async () => {
    await stored(3);
    const runner = instances[1]!.createQueryRunner();
    await runner.startTransaction();
    await runner.manager.update(ThrottleCounter, { key: 'key-2' }, { expiresAt: NOW });

    expect(await deleteInBatches(here, OLD)).toBe(2);

    await runner.commitTransaction();
    await runner.release();
    expect(await keys()).toEqual(['key-0', 'key-2']);
  });

  it('compares all columns of a key', async () => {
    const known = instances[0]!.getRepository(KnownLogin);
    const [user] = await database.query<{ id: string }>(
      `INSERT INTO users (name, email, password_hash) VALUES ('Ada', 'ada@example.com', '') RETURNING id`,
    );
    const [one, other] = [Buffer.from('one'), Buffer.from('other')];
    await known.insert([
      { userId: user!.id, origin: one, lastUsedAt: new Date(0) },
      { userId: user!.id, origin: other, lastUsedAt: NOW },
    ]);

    expect(await deleteInBatches(known, { lastUsedAt: LessThan(NOW) })).toBe(1);
    expect((await known.find()).map(({ origin }) => origin.toString())).toEqual(['other']);
  });

  it('deletes rows that meet one of several conditions', async () => {
    await stored(3);

    expect(await deleteInBatches(here, [{ key: 'key-1' }, { key: 'key-0' }])).toBe(2);
    expect(await keys()).toEqual(['key-2', 'key-3']);
  });
});
