import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installedVersion } from '../../src/lib/util/version.js';
import { isDatabaseAway } from '../../src/platform/database/database.errors.js';
import {
  migrationStatus,
  revertMigration,
  runMigrations,
} from '../../src/platform/database/migrator.js';
import { createBackup } from '../../src/transfer/backup/create-backup.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const THIS = installedVersion();
const REFUSAL = `it was last migrated by Satchel 9.1.0, and this is Satchel ${THIS}, which lacks the migration AddMore1999: install Satchel 9.1.0 or a newer version`;

let database: TestDatabase;

const versionOf = async (): Promise<unknown> => {
  const [row] = await database.query<{ comment: string | null }>(
    `SELECT obj_description('migrations'::regclass, 'pg_class') AS comment`,
  );
  return row?.comment;
};

beforeEach(async () => {
  database = await aDatabase({ isEmpty: true });
  await runMigrations(database.connection);
});
afterEach(() => database.drop());

describe('a database of a newer version', () => {
  beforeEach(async () => {
    await database.query(`INSERT INTO migrations (timestamp, name) VALUES (1, 'AddMore1999')`);
    await database.query(`COMMENT ON TABLE migrations IS 'Last migrated by Satchel 9.1.0'`);
  });

  it.each([
    ['migrations', () => runMigrations(database.connection)],
    ['a revert', () => revertMigration(database.connection)],
    [
      'a backup',
      async () => {
        const directory = mkdtempSync(join(tmpdir(), 'satchel-test-'));
        const file = await open(join(directory, 'backup'), 'w');
        await createBackup(database.connection, file, new Date()).finally(async () => {
          await file.close();
          rmSync(directory, { recursive: true });
        });
      },
    ],
  ])('rejects %s permanently, with an error that names both versions', async (_, work) => {
    const error: unknown = await work().catch((reason: unknown) => reason);

    expect(error).toMatchObject({ message: expect.stringContaining(REFUSAL) });
    expect(isDatabaseAway(error)).toBe(false);
    expect(await versionOf()).toBe('Last migrated by Satchel 9.1.0');
  });

  it('rejects migrations with the name of the unknown migration if no version is stored', async () => {
    await database.query('COMMENT ON TABLE migrations IS NULL');

    await expect(runMigrations(database.connection)).rejects.toThrow(
      `it was last migrated by a newer version of Satchel, and this is Satchel ${THIS}, which lacks the migration AddMore1999`,
    );
  });

  it('is reported by migrationStatus', async () => {
    const { refusal, executed } = await migrationStatus(database.connection);

    expect(refusal).toContain(REFUSAL);
    expect(executed).toContain('AddMore1999');
  });
});

it('migrations store the installed version', async () => {
  expect(await versionOf()).toBe(`Last migrated by Satchel ${THIS}`);
});

it('a start stores the version if the database contains none', async () => {
  await database.query('COMMENT ON TABLE migrations IS NULL');

  await runMigrations(database.connection);

  expect(await versionOf()).toBe(`Last migrated by Satchel ${THIS}`);
});

it('a start without new migrations keeps the stored version', async () => {
  await database.query(`COMMENT ON TABLE migrations IS 'Last migrated by Satchel 0.0.9'`);

  await runMigrations(database.connection);

  expect(await versionOf()).toBe('Last migrated by Satchel 0.0.9');
});
