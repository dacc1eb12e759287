import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';

import {
  migrationStatus,
  revertMigration,
  runMigrations,
} from '../../src/platform/database/migrator.js';
import type { Manifest } from '../../src/transfer/backup/backup-file.js';
import { createBackup } from '../../src/transfer/backup/create-backup.js';
import { restoreBackup } from '../../src/transfer/backup/restore-backup.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const FIRST_OF_READER = 'CreateReadingPositions';
/** Inserts a highlight, with values for columns that the schema has gained since. */
const aHighlight = ([columns, values] = ['', '']): string => `
  INSERT INTO users (id, name, email, password_hash) OVERRIDING SYSTEM VALUE VALUES (1, 'Eve', 'eve@example.com', '');
  INSERT INTO lists (user_id) VALUES (1);
  INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, title_key, url_key, search_text${columns})
    VALUES (1, 2, 1, 1, 1, '', '', '', ''${values});
  INSERT INTO annotations (user_id, annotation_id, item_id, quote, patch, version, created_at${columns && `${columns}, updated_at`})
    VALUES (1, 'a', 2, 'old words', '', '', 1${values && `${values}, 1`})`;

let directory: string;
let target: TestDatabase;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-test-'));
  target = await aDatabase({ isEmpty: true });
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await target.drop();
});

async function backedUp({ connection }: TestDatabase): Promise<Manifest> {
  const file = await open(join(directory, 'backup'), 'w');
  try {
    return await createBackup(connection, file, new Date());
  } finally {
    await file.close();
  }
}
const restored = (): Promise<Manifest> =>
  restoreBackup(target.connection, join(directory, 'backup'), { force: false });

describe('a backup', () => {
  it('is restored although a session of the service ends a moment later', async () => {
    const source = await aDatabase();
    await source.query(aHighlight([', number', ', 1']));
    await backedUp(source);
    await source.drop();
    await runMigrations(target.connection);
    const last = new pg.Client({ connectionString: target.url, application_name: 'satchel' });
    await last.connect();
    const ended = pause(300).then(() => last.end());

    await restored();

    await ended;
    expect(await target.query('SELECT FROM users LIMIT 1')).toHaveLength(1);
  });

  it('from before notes, reading positions and undo of deletions can be restored', async () => {
    const older = await aDatabase();
    while ((await migrationStatus(older.connection)).executed.join().includes(FIRST_OF_READER)) {
      await revertMigration(older.connection);
    }
    await older.query(aHighlight());
    await backedUp(older);
    await older.drop();

    await restored();

    expect((await migrationStatus(target.connection)).pending).toEqual([]);
    expect(await target.query('SELECT quote, note FROM annotations')).toEqual([
      { quote: 'old words', note: '' },
    ]);
    expect(await target.query('SELECT FROM reading_positions')).toEqual([]);
  });

  it.each<[string, (older: TestDatabase) => Promise<unknown>]>([
    ['an older schema', ({ connection }) => revertMigration(connection)],
    [
      'a schema that lacks a migration among others',
      (older) =>
        older.query(
          `DROP FUNCTION is_in_flight; DELETE FROM migrations WHERE name LIKE 'SeeWriters%'`,
        ),
    ],
  ])('of %s is restored and migrated', async (_, revert) => {
    const older = await aDatabase();
    await older.query(
      `INSERT INTO users (name, email, password_hash) VALUES ('Eve', 'eve@example.com', '')`,
    );
    await revert(older);
    const { migrations } = await backedUp(older);
    await older.drop();

    await restored();

    const { executed, pending } = await migrationStatus(target.connection);
    expect(executed.length).toBe(migrations.length + 1);
    expect(pending).toEqual([]);
    expect(await target.query('SELECT email FROM users')).toEqual([{ email: 'eve@example.com' }]);
  });
});
