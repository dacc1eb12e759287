import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  migrationStatus,
  revertMigration,
  runMigrations,
} from '../../src/platform/database/migrator.js';
import type { Manifest } from '../../src/transfer/backup/backup-file.js';
import { createBackup } from '../../src/transfer/backup/create-backup.js';
import { compareSchema } from '../../src/transfer/backup/required-schema.js';
import { restoreBackup } from '../../src/transfer/backup/restore-backup.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const REPAIR = 'RepairEditedTables';
const EDITED = [
  'DROP INDEX item_search_grams_idx',
  'ALTER TABLE item_search DROP COLUMN title_key, DROP COLUMN url_key',
  'ALTER TABLE pages DROP COLUMN fresh_until',
];
const ITEM = `
  INSERT INTO users (id, name, email, password_hash) OVERRIDING SYSTEM VALUE VALUES (1, 'Eve', 'eve@example.com', '');
  INSERT INTO lists (user_id) VALUES (1);
  INSERT INTO items (user_id, item_id, stamp, number, time_added, time_updated, given_url, title_key, url_key, search_text)
    VALUES (1, 2, 1, 1, 1, 1, 'https://example.com/ä', 'the title', 'example.com/ä', 'the title');
  INSERT INTO item_search (user_id, item_id, added_order, title_key, url_key, search_text)
    VALUES (1, 2, 1, 'the title', 'example.com/ä', 'the title')`;

let directory: string;
let database: TestDatabase;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-test-'));
  database = await aDatabase();
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await database.drop();
});

async function backUp(): Promise<Manifest> {
  const file = await open(join(directory, 'backup'), 'w');
  try {
    return await createBackup(database.connection, file, new Date());
  } finally {
    await file.close();
  }
}

/** Restores the state of a data folder from before an early migration was edited. */
async function takeBackEdits(): Promise<void> {
  while ((await migrationStatus(database.connection)).executed.join().includes(REPAIR)) {
    await revertMigration(database.connection);
  }
  for (const statement of EDITED) {
    await database.query(statement);
  }
}

const indexesOf = async (table: string): Promise<string[]> => {
  const rows = await database.query<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes WHERE tablename = '${table}' ORDER BY indexname`,
  );
  return rows.map(({ definition }) => definition);
};

it('a backup is rejected if a table lacks a column that a restore requires', async () => {
  await database.query('ALTER TABLE item_search DROP COLUMN title_key, DROP COLUMN url_key');

  await expect(backUp()).rejects.toThrow(
    /could not be restored: the table item_search lacks title_key, url_key\./,
  );
});

it('a backup is rejected if a table does not belong to Satchel', async () => {
  await database.query('CREATE TABLE mine (id int)');

  await expect(backUp()).rejects.toThrow(/the table mine does not belong to Satchel/);
});

it('the schema has no differences after each of the last migrations', async () => {
  const differences: (readonly string[])[] = [
    (await compareSchema(database.connection)).differences,
  ];
  for (let reverted = 1; reverted <= 5; reverted += 1) {
    await revertMigration(database.connection);
    differences.push((await compareSchema(database.connection)).differences);
  }

  expect(differences.flat()).toEqual([]);
});

it('the comparison of schemas leaves no schema behind in the database', async () => {
  const schemas = 'SELECT nspname::text AS name FROM pg_namespace ORDER BY nspname';
  const before = await database.query(schemas);

  await compareSchema(database.connection);

  expect(await database.query(schemas)).toEqual(before);
});

it('a migration repairs a data folder whose early migration was edited later', async () => {
  await database.query(ITEM);
  const indexes = await indexesOf('item_search');
  await takeBackEdits();
  await expect(backUp()).rejects.toThrow(/item_search lacks title_key, url_key/);

  await runMigrations(database.connection);

  expect(await database.query('SELECT title_key, url_key FROM item_search')).toEqual([
    { title_key: 'the title', url_key: 'example.com/ä' },
  ]);
  expect(await indexesOf('item_search')).toEqual(indexes);
  expect((await compareSchema(database.connection)).differences).toEqual([]);
});

it('the backup of a repaired data folder can be restored', async () => {
  await database.query(ITEM);
  await takeBackEdits();
  await runMigrations(database.connection);
  await backUp();
  const target = await aDatabase({ isEmpty: true });

  await restoreBackup(target.connection, join(directory, 'backup'), { force: false });

  expect(await target.query('SELECT title_key, url_key FROM item_search')).toEqual([
    { title_key: 'the title', url_key: 'example.com/ä' },
  ]);
  await target.drop();
});
