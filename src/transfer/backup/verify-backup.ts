import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

import pg from 'pg';

import type { Connection } from '../../platform/database/data-source.options.js';
import { sqlState } from '../../platform/database/database.errors.js';
import { withDataSource } from '../../platform/database/migrator.js';
import { type Manifest, notWhole, RestoreRefusedError, withBackupFile } from './backup-file.js';
import { CHANGED_BY_RESTORE, restoreBackup } from './restore-backup.js';

const NEWLINE = 0x0a;

/**
 * Reads a backup file completely, and compares the rows and the hash of each table with the manifest. Changes nothing.
 *
 * @throws RestoreRefusedError if the file is not a backup, or is damaged
 */
export async function readBackup(path: string): Promise<Manifest> {
  return withBackupFile(path, async (backup) => {
    for (const { name, rows, sha256 } of backup.manifest.tables) {
      const found = await measured(await backup.rowsOf(name));
      if (found.rows !== rows || found.sha256 !== sha256) {
        throw new RestoreRefusedError(`the table ${name} of the backup is damaged`);
      }
    }
    return backup.manifest;
  });
}

/** Counts rows by newlines: the text format of COPY writes a newline in a value as `\n`. */
async function measured(stream: Readable): Promise<{ rows: number; sha256: string }> {
  const hash = createHash('sha256');
  let rows = 0;
  try {
    for await (const piece of stream) {
      const chunk = Buffer.from(piece);
      hash.update(chunk);
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
        rows += 1;
      }
    }
  } catch (error) {
    throw notWhole(error);
  }
  return { rows, sha256: hash.digest('hex') };
}

/**
 * Restores a backup into a scratch database on the same server, counts the rows of each table there, and deletes the
 * scratch database. The database of the service is not changed.
 *
 * @throws RestoreRefusedError if the file is not a backup, is damaged, or is from a newer version
 * @throws ScratchDatabaseError if the role may not create databases
 */
export async function rehearseRestore(connection: Connection, path: string): Promise<Manifest> {
  const name = `satchel_verify_${randomBytes(6).toString('hex')}`;
  await inScratch(connection, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  try {
    const scratch = databaseBeside(connection, name);
    const manifest = await restoreBackup(scratch, path, { force: false });
    await compareCounts(scratch, manifest);
    return manifest;
  } finally {
    await inScratch(connection, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

async function compareCounts(scratch: Connection, { tables }: Manifest): Promise<void> {
  await withDataSource(scratch, async (dataSource) => {
    for (const { name, rows } of tables.filter((table) => !CHANGED_BY_RESTORE.has(table.name))) {
      const [found] = await dataSource.query<[{ rows: number }]>(
        `SELECT count(*)::int AS rows FROM ${pg.escapeIdentifier(name)}`,
      );
      if (found.rows !== rows) {
        throw new RestoreRefusedError(
          `after the restore, the table ${name} has ${found.rows} rows instead of ${rows}`,
        );
      }
    }
  });
}

/** Runs one statement about a scratch database, outside of a transaction. */
async function inScratch(connection: Connection, statement: string): Promise<void> {
  try {
    await withDataSource(connection, (dataSource) => dataSource.query(statement));
  } catch (error) {
    throw sqlState(error) === INSUFFICIENT_PRIVILEGE ? new ScratchDatabaseError(error) : error;
  }
}

/** Returns the connection to another database on the same server. */
function databaseBeside(connection: Connection, database: string): Connection {
  if (connection.url === undefined) {
    return { ...connection, database };
  }
  const url = Object.assign(new URL(connection.url), { pathname: `/${database}` }).href;
  return { ...connection, url };
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Thrown if the role of the service may not create the scratch database. Nothing has been changed. */
class ScratchDatabaseError extends Error {
  constructor(cause: unknown) {
    super(
      'the role may not create a scratch database: ALTER ROLE … CREATEDB, or --no-restore only reads the file',
      { cause },
    );
  }
}
