import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  type DataSource,
  type EntityManager,
  MigrationExecutor,
  type MigrationInterface,
} from 'typeorm';

import {
  findIdentities,
  findMigrations,
  findTables,
  ownRunner,
  ownSession,
  type Table,
} from '../../platform/database/catalog.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { requireOneServer } from '../../platform/database/distribution.js';
import { DIRECT_NAME, underMigrationLock } from '../../platform/database/migrator.js';
import { migrationName, whatToInstall } from '../../platform/database/schema-version.js';
import {
  type BackupFile,
  type CopiedSequence,
  type CopiedTable,
  type Manifest,
  notWhole,
  RestoreRefusedError,
  withBackupFile,
} from './backup-file.js';

/**
 * Finds open database connections of the service and of its commands. A restore is refused while such a connection is
 * open.
 */
const IN_USE = `
  SELECT 1 AS found FROM pg_stat_activity
  WHERE datname = current_database() AND application_name IN ('satchel', '${DIRECT_NAME}') LIMIT 1`;
/**
 * Makes PostgreSQL read the list of open connections again. Within a transaction, PostgreSQL
 * otherwise returns the same list for every query.
 */
const LOOK_ANEW = 'SELECT pg_stat_clear_snapshot()';
/**
 * The number of times that a restore checks for open database connections. One check is not enough,
 * because PostgreSQL still lists a connection for a moment after its process has exited.
 */
const LOOKS = 10;
const LOOK_EVERY_MS = 200;
const OWN_NAME = 'satchel-restore';

/**
 * Replaces the contents of the whole database with a backup, and migrates the database to the schema of this version.
 * Both steps are one transaction.
 *
 * @throws RestoreRefusedError if the restore is impossible; nothing is changed in this case
 * @throws DistributionError if lists are distributed over several servers
 */
export async function restoreBackup(
  connection: Connection,
  path: string,
  { force }: { readonly force: boolean },
): Promise<Manifest> {
  await requireOneServer(connection);
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
  const names = new Set(known.map(migrationName));
  const unknown = migrations.filter((name) => !names.has(name));
  if (unknown.length > 0) {
    throw new RestoreRefusedError(
      `the backup was made by Satchel ${satchel}, whose schema this version does not know: ${whatToInstall(`Satchel ${satchel}`, unknown)}`,
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
  await expectNoAccounts(client, force);
  await empty(client);
  await goBackTo(dataSource, manager, backup.manifest.migrations);
  await loadTables(client, backup);
  await executor.executePendingMigrations();
  for (const table of WAITING_MAILS) {
    await client.query(`DELETE FROM ${table}`);
  }
  // A scheduled backup contains its own run, which had not ended.
  await client.query('DELETE FROM backup_runs WHERE ended_at IS NULL');
  await beginSyncEra(client);
}

/** The tables of mails that wait. A restore drops them, because they may have been sent since the backup. */
const WAITING_MAILS = ['list_rule_mails', 'security_mails'];

/** The tables that can have other rows after a restore than in the backup. */
export const CHANGED_BY_RESTORE: ReadonlySet<string> = new Set([
  ...WAITING_MAILS,
  'backup_runs',
  'page_cursors',
  'sync_eras',
]);

async function expectUnused(client: pg.ClientBase): Promise<void> {
  for (let look = 1; (await client.query(IN_USE)).rows.length > 0; look += 1) {
    if (look === LOOKS) {
      throw new RestoreRefusedError(
        'the service is running on this database: stop it first, and have a pooler of it RECONNECT',
      );
    }
    await pause(LOOK_EVERY_MS);
    await client.query(LOOK_ANEW);
  }
}

async function expectNoAccounts(client: pg.ClientBase, force: boolean): Promise<void> {
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

/**
 * Reverts the schema of the empty tables to the schema of the backup, by reverting each migration
 * that is not in the backup. Compares names instead of timestamps, because a migration with an
 * early timestamp may have been released late.
 * @throws RestoreRefusedError if this version of Satchel does not contain a migration that must be reverted
 */
async function goBackTo(
  { migrations }: DataSource,
  manager: EntityManager,
  wanted: readonly string[],
): Promise<void> {
  const client = await ownSession(manager);
  const known = new Map(migrations.map((migration) => [migrationName(migration), migration]));
  for (const name of (await findMigrations(client)).toReversed()) {
    if (!wanted.includes(name)) {
      await requireKnown(known.get(name)).down(ownRunner(manager));
      await client.query('DELETE FROM migrations WHERE name = $1', [name]);
    }
  }
}

function requireKnown(migration: MigrationInterface | undefined): MigrationInterface {
  if (migration === undefined) {
    throw new RestoreRefusedError(
      'the database has a schema that this version does not know: restore by the version that last used it',
    );
  }
  return migration;
}

/**
 * The number of ids that a restore skips after the last id in the backup. The skipped ids may
 * belong to accounts that were created after the backup. If new accounts got these ids, old tokens
 * would be valid for the new accounts.
 */
const GAP = 100_000;

/**
 * Inserts the rows of the backup into the empty tables, which already have the schema of the backup.
 * @throws RestoreRefusedError if the file is damaged
 */
async function loadTables(client: pg.ClientBase, backup: BackupFile): Promise<void> {
  const copied = new Map(backup.manifest.tables.map((table) => [table.name, table]));
  const tables = await findTables(client);
  if (tables.length !== copied.size) {
    throw notWhole('its tables are not those of its schema');
  }
  for (const table of tables) {
    await loadTable(client, backup, expectSame(table, copied.get(table.name)));
  }
  await advanceSequences(client, backup.manifest.sequences);
}

function expectSame({ name, columns }: Table, copied: CopiedTable | undefined): CopiedTable {
  const isSame =
    copied?.columns.length === columns.length &&
    columns.every((column) => copied.columns.includes(column));
  if (!isSame) {
    throw notWhole(`its table ${name} is not that of its schema`);
  }
  return copied;
}

async function loadTable(
  client: pg.ClientBase,
  backup: BackupFile,
  { name, columns, rows, sha256 }: CopiedTable,
): Promise<void> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const stream = await backup.rowsOf(name);
  const hash = createHash('sha256');
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const copy = client.query(copyFrom(`COPY ${pg.escapeIdentifier(name)} (${list}) FROM STDIN`));
  try {
    await pipeline(stream, meter, copy);
  } catch (error) {
    throw notWhole(error);
  }
  if (copy.rowCount !== rows || hash.digest('hex') !== sha256) {
    throw new RestoreRefusedError(`the table ${name} of the backup is damaged`);
  }
}

async function advanceSequences(
  client: pg.ClientBase,
  sequences: readonly CopiedSequence[],
): Promise<void> {
  for (const { table, column, sequence } of await findIdentities(client)) {
    const copied = sequences.find((one) => one.table === table && one.column === column);
    await client.query('SELECT setval($1::regclass, $2::bigint + $3)', [
      sequence,
      copied?.last ?? '0',
      GAP,
    ]);
  }
}

/**
 * A new era begins this many seconds after the current time. List versions are times in Unix
 * seconds, but each change adds at least one. After many changes in a short time, a version may
 * therefore be in the future.
 */
const AHEAD_SECONDS = 3600;

const SYNC_ERA = `
  INSERT INTO sync_eras (begins)
  SELECT greatest(ceil(extract(epoch FROM clock_timestamp()))::bigint + ${AHEAD_SECONDS}, max(begins) + 1)
  FROM sync_eras`;

/**
 * Raises each list version to at least the start of the new era, which is the smallest valid
 * `since` after the restore.
 */
const LIST_VERSIONS = `UPDATE lists SET stamp = greatest(stamp, (SELECT max(begins) FROM sync_eras))`;

/**
 * Begins a new era: each client must fetch its whole list again. A `since` from before the restore
 * may refer to changes that are not in the backup (docs/decisions/0033).
 */
async function beginSyncEra(client: pg.ClientBase): Promise<void> {
  await client.query('DELETE FROM page_cursors');
  await client.query(SYNC_ERA);
  await client.query(LIST_VERSIONS);
}
