import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

import { installedVersion } from '../../lib/util/version.js';
import { type ZipEntry, zipped } from '../../lib/util/zipped.js';
import {
  findMigrations,
  findTables,
  ownSession,
  PLAIN_TEXTS,
  readSequences,
  type Table,
} from '../../platform/database/catalog.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { requireOneServer } from '../../platform/database/distribution.js';
import { withDataSource } from '../../platform/database/migrator.js';
import { type CopiedTable, FORMAT, type Manifest, MANIFEST_PATH, pathOf } from './backup-file.js';
import { compareSchema } from './required-schema.js';

/**
 * Writes a backup of the whole database from one snapshot while the service runs (docs/decisions/0024).
 * @throws UnrestorableError if `restore` would refuse the backup
 * @throws DistributionError if lists are distributed over several servers
 */
export async function createBackup(
  connection: Connection,
  file: FileHandle,
  now: Date,
  warn: (warning: string) => void = () => undefined,
): Promise<Manifest> {
  await requireOneServer(connection);
  await requireRestorable(connection, warn);
  return withDataSource(connection, (dataSource) =>
    dataSource.transaction('REPEATABLE READ', async (manager) => {
      const client = await ownSession(manager);
      await client.query(`SET TRANSACTION READ ONLY; ${PLAIN_TEXTS}`);
      const backup = new Backup(client, now);
      for await (const chunk of zipped(backup.entries())) {
        await file.appendFile(chunk);
      }
      return backup.manifest();
    }),
  );
}

/**
 * Checks that `restore` would accept a backup of the database. If the check itself fails, for
 * example because the disk is full, only calls `warn`: an unchecked backup is better than no
 * backup.
 * @throws UnrestorableError if the schema of the database differs from the schema that `restore` requires
 */
async function requireRestorable(
  connection: Connection,
  warn: (warning: string) => void,
): Promise<void> {
  const { differences, unknown } = await compareSchema(connection);
  if (differences.length > 0) {
    throw new UnrestorableError(differences);
  }
  if (unknown !== undefined) {
    warn(`the schema was not compared with what restore requires: ${unknown}`);
  }
}

/**
 * Thrown if the schema of the database differs from the schema that its migrations create. `restore` would refuse a
 * backup of such a database.
 */
class UnrestorableError extends Error {
  constructor(differences: readonly string[]) {
    super(
      `no backup was written, because it could not be restored: ${differences.join('; ')}. Start this version of the service once, which repairs known differences, and see "satchel doctor"`,
    );
  }
}

class Backup {
  private migrations: readonly string[] = [];
  private sequences: Manifest['sequences'] = [];
  private readonly copied: CopiedTable[] = [];

  constructor(
    private readonly client: pg.ClientBase,
    private readonly now: Date,
  ) {}

  /** Yields the files of the backup. The manifest is last, because it describes the other files. */
  async *entries(): AsyncGenerator<ZipEntry> {
    this.migrations = await findMigrations(this.client);
    if (this.migrations.length === 0) {
      throw new Error('there is nothing to back up: no service has ever run on this database');
    }
    const tables = await findTables(this.client);
    await this.lockTables(tables);
    this.sequences = await readSequences(this.client);
    for (const table of tables) {
      yield { path: pathOf(table.name), content: this.rowsOf(table) };
    }
    yield { path: MANIFEST_PATH, content: this.manifestText() };
  }

  manifest(): Manifest {
    return {
      format: FORMAT,
      satchel: installedVersion(),
      created_at: this.now.toISOString(),
      migrations: this.migrations,
      tables: this.copied,
      sequences: this.sequences,
    };
  }

  private async *manifestText(): AsyncGenerator<string> {
    await Promise.resolve();
    yield `${JSON.stringify(this.manifest(), undefined, 2)}\n`;
  }

  /** Locks the tables, so that no other program can change their columns during the backup. */
  private async lockTables(tables: readonly Table[]): Promise<void> {
    const names = tables.map(({ name }) => pg.escapeIdentifier(name));
    await this.client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`);
  }

  private async *rowsOf({ name, columns }: Table): AsyncGenerator<Buffer> {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    const copy = this.client.query(
      // Uses a SELECT, because COPY with only a table name does not copy the rows of a partitioned table.
      copyTo(`COPY (SELECT ${list} FROM ${pg.escapeIdentifier(name)}) TO STDOUT`),
    );
    const hash = createHash('sha256');
    for await (const chunk of copy) {
      if (Buffer.isBuffer(chunk)) {
        hash.update(chunk);
        yield chunk;
      }
    }
    this.copied.push({ name, columns, rows: copy.rowCount, sha256: hash.digest('hex') });
  }
}
