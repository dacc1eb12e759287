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

describe('the places of tables', () => {
  const personal = tablesAt('personal');
  let database: TestDatabase;
  let references: readonly Reference[];

  beforeAll(async () => {
    database = await aDatabase();
    references = await database.query<Reference & Record<string, unknown>>(REFERENCES);
  });
  afterAll(() => database.drop());

  it('are defined exactly once for each table', async () => {
    const dataSource = await new DataSource(dataSourceOptions(database.connection, 1)).initialize();
    await dataSource.destroy();
    const tables = dataSource.entityMetadatas.map(({ tableName }) => tableName);

    expect(TABLE_PLACES.map(({ table }) => table).toSorted()).toEqual(tables.toSorted());
  });

  it('require the user in each key of a personal table', async () => {
    const keys = await database.query<Key & Record<string, unknown>>(KEYS, [personal]);

    expect(keys.length).toBeGreaterThanOrEqual(personal.length);
    expect(keys.filter(({ columns }) => !columns.includes(SHARD_COLUMN))).toEqual([]);
  });

  it('let personal tables reference only personal tables, by the user', () => {
    const own = references.filter(({ from, said }) => personal.includes(from) && said !== DETACHED);

    expect(own.length).toBeGreaterThan(5);
    expect(
      own.filter(({ to, columns }) => !personal.includes(to) || !columns.includes(SHARD_COLUMN)),
    ).toEqual([]);
  });

  it('let no other table reference a personal table', () => {
    expect(
      references.filter(({ from, to }) => !personal.includes(from) && personal.includes(to)),
    ).toEqual([]);
  });

  it('list a table after the tables that it references', () => {
    const early = references.filter(
      ({ from, to }) => personal.includes(to) && personal.indexOf(to) > personal.indexOf(from),
    );

    expect(early).toEqual([]);
  });

  it('match docs/host/scaling.md', () => {
    const rows =
      readFileSync('docs/host/scaling.md', 'utf8').match(
        /^\| `\w+`.*(personal|reference|local).*$/gm,
      ) ?? [];
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')));

    expect(cells.map(([, table, place, why]) => ({ table, place, why }))).toEqual(TABLE_PLACES);
  });
});
