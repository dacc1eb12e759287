import pg from 'pg';
import { type DataSource, type EntityManager, MigrationExecutor } from 'typeorm';

import type { Connection } from '../database/connection.js';
import { underMigrationLock } from '../database/migrator.js';
import { RestoreRefusedError } from './backup.errors.js';
import { type BackupFile, withBackupFile } from './backup-file.js';
import { beginEra } from './begin-era.js';
import { findMigrations, findTables } from './catalog.js';
import { loadTables } from './load-tables.js';
import type { Manifest } from './manifest.js';
import { ownSession } from './own-session.js';

/** Others with this name work on the database: the service, and commands beside it. */
const IN_USE = `
  SELECT 1 AS found FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'satchel' LIMIT 1`;
const OWN_NAME = 'satchel-restore';

/**
 * Puts a backup in the place of all that the database holds, in one transaction, and brings it to the schema of this
 * version. Throws RestoreRefusedError, having changed nothing.
 */
export function restoreBackup(
  connection: Connection,
  path: string,
  { force }: { readonly force: boolean },
): Promise<Manifest> {
  return withBackupFile(path, (backup) =>
    underMigrationLock(
      connection,
      async (dataSource) => {
        expectKnown(backup.manifest, dataSource);
        await dataSource.transaction((manager) =>
          replaceAll(dataSource, manager, { backup, force }),
        );
        await dataSource.query('ANALYZE');
        return backup.manifest;
      },
      OWN_NAME,
    ),
  );
}

function expectKnown({ migrations, satchel }: Manifest, { migrations: known }: DataSource): void {
  const names = known.map(({ name, constructor }) => name ?? constructor.name);
  if (!migrations.every((name, at) => names[at] === name)) {
    throw new RestoreRefusedError(
      `the backup was made by Satchel ${satchel}, whose schema this version does not know: install that version or a newer one`,
    );
  }
}

interface Replacement {
  readonly backup: BackupFile;
  readonly force: boolean;
}

async function replaceAll(
  dataSource: DataSource,
  manager: EntityManager,
  { backup, force }: Replacement,
): Promise<void> {
  const client = await ownSession(manager);
  await expectUnused(client);
  const executor = new MigrationExecutor(dataSource, manager.queryRunner);
  await executor.executePendingMigrations();
  await expectNobody(client, force);
  await empty(client);
  await goBackTo(executor, client, backup.manifest.migrations.length);
  await loadTables(client, backup);
  await executor.executePendingMigrations();
  await beginEra(client);
}

async function expectUnused(client: pg.ClientBase): Promise<void> {
  if ((await client.query(IN_USE)).rows.length > 0) {
    throw new RestoreRefusedError('the service is running on this database: stop it first');
  }
}

async function expectNobody(client: pg.ClientBase, force: boolean): Promise<void> {
  const { rows } = await client.query('SELECT 1 AS found FROM users LIMIT 1');
  if (rows.length > 0 && !force) {
    throw new RestoreRefusedError(
      'there are accounts in this database: restore into an empty one, or replace everything by --force',
    );
  }
}

async function empty(client: pg.ClientBase): Promise<void> {
  const names = (await findTables(client)).map(({ name }) => pg.escapeIdentifier(name));
  await client.query(`TRUNCATE ${names.join(', ')}`);
}

/** To the schema that the backup was made of; on empty tables that loses nothing. */
async function goBackTo(
  executor: MigrationExecutor,
  client: pg.ClientBase,
  count: number,
): Promise<void> {
  for (let left = (await findMigrations(client)).length; left > count; left -= 1) {
    await executor.undoLastMigration();
  }
}
