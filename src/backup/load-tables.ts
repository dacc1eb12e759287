import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { RestoreRefusedError } from './backup.errors.js';
import { type BackupFile, notWhole } from './backup-file.js';
import { findIdentities, findTables, type Table } from './catalog.js';
import type { CopiedSequence, CopiedTable } from './manifest.js';

/**
 * How far ids go on after those of the backup: accounts that were made after it are lost, and what was handed out for
 * their ids must not fit the next ones.
 */
const GAP = 100_000;

/** Fills the empty tables of the schema that the backup was made of. Throws RestoreRefusedError for a damaged file. */
export async function loadTables(client: pg.ClientBase, backup: BackupFile): Promise<void> {
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
