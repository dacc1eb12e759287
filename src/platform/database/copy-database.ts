import { pipeline } from 'node:stream/promises';

import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { DataSource } from 'typeorm';

import type { EmbeddedConnection } from '../../lib/embedded-postgres/connection.js';
import { findMigrations, findTables, PLAIN_TEXTS, type Table } from './catalog.js';
import { unlimitedDataSourceOptions } from './data-source.options.js';
import { MIGRATIONS } from './migrations.js';
import { vacuumRewritten, withDataSource } from './migrator.js';

const OWN_NAME = 'satchel-upgrade';

const SEQUENCES = `
  SELECT quote_ident(sequencename) AS name, last_value::text AS last FROM pg_sequences
  WHERE schemaname = current_schema() AND last_value IS NOT NULL`;
const COMMENT = `SELECT obj_description('migrations'::regclass, 'pg_class') AS text`;

/**
 * Copies the whole database of Satchel to an empty database of another server, with the schema as it is. Later
 * migrations run at the start of the service, as always. The result has the same rows, ids and versions, so no client
 * has to sync again (docs/decisions/0140).
 * @throws Error if the database has tables or columns that do not belong to Satchel, or if the copy has other rows
 */
export async function copyDatabase(
  source: EmbeddedConnection,
  target: EmbeddedConnection,
): Promise<void> {
  // Checks that this version knows the schema.
  await withDataSource({ ...source, ssl: false }, () => Promise.resolve());
  await withClient(source, async (from) => {
    await from.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${PLAIN_TEXTS}`);
    const migrations = await findMigrations(from);
    if (migrations.length === 0) {
      // The first start was killed before its first migration.
      requireOwn(await findTables(from), []);
    } else {
      await createSchema(target, migrations);
      await withClient(target, (to) => copyAll(from, to));
      await finish(target);
    }
  });
}

async function withClient<T>(
  { host, port, username, database }: EmbeddedConnection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const address = { host, port, user: username, database };
  const client = new pg.Client({ ...address, ssl: false, application_name: OWN_NAME });
  // The statement that runs meanwhile fails with the same error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs those migrations that the earlier database has run. */
async function createSchema(target: EmbeddedConnection, names: readonly string[]): Promise<void> {
  const migrations = MIGRATIONS.filter(({ name }) => names.includes(name));
  const options = { ...unlimitedDataSourceOptions({ ...target, ssl: false }, 2), migrations };
  const dataSource = await new DataSource(options).initialize();
  try {
    await dataSource.runMigrations();
  } finally {
    await dataSource.destroy();
  }
}

async function copyAll(from: pg.Client, to: pg.Client): Promise<void> {
  const tables = await findTables(from);
  requireOwn(tables, await findTables(to));
  const names = tables.map(({ name }) => pg.escapeIdentifier(name));
  // PostgreSQL writes no log for rows of a table that the same transaction has truncated.
  await to.query(`BEGIN; TRUNCATE ${names.join(', ')}`);
  for (const table of tables) {
    await copyTable(from, to, table);
  }
  await copySequences(from, to);
  await copyComment(from, to);
  await to.query('COMMIT');
  for (const { name } of tables) {
    await compareCounts(from, to, name);
  }
}

/** @throws Error if a table or a column of the earlier database would be lost */
function requireOwn(found: readonly Table[], created: readonly Table[]): void {
  const known = new Map(created.map(({ name, columns }) => [name, columns]));
  const foreign = found.flatMap(({ name, columns }) => {
    const own = known.get(name);
    return own === undefined
      ? [name]
      : columns.filter((column) => !own.includes(column)).map((column) => `${name}.${column}`);
  });
  if (foreign.length > 0) {
    throw new Error(
      `these tables and columns do not belong to Satchel and would be lost: ${foreign.join(', ')}. Copy them elsewhere, and remove them with the earlier version of Satchel`,
    );
  }
}

async function copyTable(from: pg.Client, to: pg.Client, { name, columns }: Table): Promise<void> {
  const table = pg.escapeIdentifier(name);
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  await pipeline(
    from.query(copyTo(`COPY (SELECT ${list} FROM ${table}) TO STDOUT`)),
    to.query(copyFrom(`COPY ${table} (${list}) FROM STDIN`)),
  );
}

/** Sets each sequence to its earlier state, so that the copy gives the same ids to new rows. */
async function copySequences(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ name: string; last: string }>(SEQUENCES);
  for (const { name, last } of rows) {
    await to.query('SELECT setval($1::regclass, $2::bigint)', [name, last]);
  }
}

/** Copies the version of Satchel that has migrated the database last. */
async function copyComment(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ text: string | null }>(COMMENT);
  const text = rows[0]?.text ?? null;
  if (text !== null) {
    await to.query(`COMMENT ON TABLE migrations IS ${pg.escapeLiteral(text)}`);
  }
}

async function compareCounts(from: pg.Client, to: pg.Client, name: string): Promise<void> {
  const count = `SELECT count(*)::text AS rows FROM ${pg.escapeIdentifier(name)}`;
  const [before, after] = [await rowsOf(from, count), await rowsOf(to, count)];
  if (before !== after) {
    throw new Error(`the copy of the table ${name} has ${after} rows instead of ${before}`);
  }
}

async function rowsOf(client: pg.Client, count: string): Promise<string> {
  const { rows } = await client.query<{ rows: string }>(count);
  return rows[0]?.rows ?? 'no';
}

/** Collects the statistics of the copied tables. */
const finish = (target: EmbeddedConnection): Promise<void> =>
  withDataSource({ ...target, ssl: false }, vacuumRewritten);
