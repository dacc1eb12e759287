import { readFileSync } from 'node:fs';

import { DataSource } from 'typeorm';

import { SHARD_COLUMN, TABLE_PLACES, tablesAt } from '../../src/platform/database/table-places.js';
import { dataSourceOptions } from '../support/data-source-options.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

interface Key {
  readonly said: string;
  readonly columns: readonly string[];
}

/** Includes unique indexes that are not constraints. */
const KEYS = `
  SELECT indexrelid::regclass::text AS said,
    ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey)) AS columns
  FROM pg_index WHERE indisunique AND indrelid = ANY ($1::regclass[])`;

const REFERENCES = `
  SELECT conname AS said, conrelid::regclass::text AS "from", confrelid::regclass::text AS "to",
    ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
  FROM pg_constraint WHERE contype = 'f' AND conrelid::regclass::text <> confrelid::regclass::text`;

interface Reference extends Key {
  readonly from: string;
  readonly to: string;
}

/** The constraint that is dropped when lists are distributed (src/platform/database/distribution.ts). */
const DETACHED = 'lists_user_id_fkey';

describe('where tables live', () => {
  const personal = tablesAt('personal');
  let database: TestDatabase;
  let references: readonly Reference[];

  beforeAll(async () => {
    database = await aDatabase();
    references = await database.query<Reference & Record<string, unknown>>(REFERENCES);
  });
  afterAll(() => database.drop());

  it('is said of each table once', async () => {
    const dataSource = await new DataSource(dataSourceOptions(database.connection, 1)).initialize();
    await dataSource.destroy();
    const tables = dataSource.entityMetadatas.map(({ tableName }) => tableName);

    expect(TABLE_PLACES.map(({ table }) => table).toSorted()).toEqual(tables.toSorted());
  });

  it('is the shard of the user where each key has the user', async () => {
    const keys = await database.query<Key & Record<string, unknown>>(KEYS, [personal]);

    expect(keys.length).toBeGreaterThanOrEqual(personal.length);
    expect(keys.filter(({ columns }) => !columns.includes(SHARD_COLUMN))).toEqual([]);
  });

  it('lets personal tables refer to personal ones alone, by the user', () => {
    const own = references.filter(({ from, said }) => personal.includes(from) && said !== DETACHED);

    expect(own.length).toBeGreaterThan(5);
    expect(
      own.filter(({ to, columns }) => !personal.includes(to) || !columns.includes(SHARD_COLUMN)),
    ).toEqual([]);
  });

  it('lets no other table refer to a personal one', () => {
    expect(
      references.filter(({ from, to }) => !personal.includes(from) && personal.includes(to)),
    ).toEqual([]);
  });

  it('puts a table behind those that it refers to', () => {
    const early = references.filter(
      ({ from, to }) => personal.includes(to) && personal.indexOf(to) > personal.indexOf(from),
    );

    expect(early).toEqual([]);
  });

  it('is what docs/host/scaling.md says', () => {
    const rows =
      readFileSync('docs/host/scaling.md', 'utf8').match(
        /^\| `\w+`.*(personal|reference|local).*$/gm,
      ) ?? [];
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')));

    expect(cells.map(([, table, place, why]) => ({ table, place, why }))).toEqual(TABLE_PLACES);
  });
});
