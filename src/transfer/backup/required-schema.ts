import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

import {
  findMigrations,
  findTables,
  ownRunner,
  ownSession,
  type Table,
} from '../../platform/database/catalog.js';
import type { Connection } from '../../platform/database/data-source.options.js';
import { sqlState } from '../../platform/database/database.errors.js';
import { withDataSource } from '../../platform/database/migrator.js';
import { migrationName } from '../../platform/database/schema-version.js';

const SCRATCH_SCHEMA = 'satchel_required_schema';
const SCRATCH = [
  `CREATE SCHEMA ${SCRATCH_SCHEMA}`,
  `SET LOCAL search_path = ${SCRATCH_SCHEMA}`,
] as const;

/**
 * The codes of PostgreSQL errors that prevent the creation of the scratch schema: disk_full, read_only_sql_transaction
 * and insufficient_privilege. After such an error, the schema of the database is not compared.
 */
const UNABLE = new Set(['53100', '25006', '42501']);

/** The result of comparing the schema of a database with the schema that `restore` requires. */
interface SchemaComparison {
  /** The differences from the schema that `restore` requires, as texts for an error message. */
  readonly differences: readonly string[];
  /** The reason why the schema could not be compared. Undefined if the comparison succeeded. */
  readonly unknown?: string;
}

/**
 * Compares the tables and columns of a database with the tables and columns that its migrations create. `restore`
 * refuses a backup with other tables or columns.
 */
export const compareSchema = (connection: Connection): Promise<SchemaComparison> =>
  withDataSource(connection, async (dataSource) => {
    try {
      return { differences: await findDifferences(dataSource) };
    } catch (error) {
      if (UNABLE.has(sqlState(error)) && error instanceof Error) {
        return { differences: [], unknown: error.message };
      }
      throw error;
    }
  });

async function findDifferences(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    const client = await ownSession(runner.manager);
    const actual = await findTables(client);
    const executed = await findMigrations(client);
    const required = await requiredTables(dataSource, runner.manager, executed);
    return differencesBetween(actual, required);
  } finally {
    await undo(runner);
  }
}

/**
 * Runs the migrations in `executed` in a scratch schema, and returns the tables that they create.
 * The caller must roll back the transaction to remove the scratch schema.
 */
async function requiredTables(
  { migrations }: DataSource,
  manager: EntityManager,
  executed: readonly string[],
): Promise<Table[]> {
  const runner = ownRunner(manager);
  for (const statement of SCRATCH) {
    await runner.query(statement);
  }
  for (const migration of migrations) {
    if (executed.includes(migrationName(migration))) {
      await migration.up(runner);
    }
  }
  return findTables(await ownSession(manager));
}

async function undo(runner: QueryRunner): Promise<void> {
  await (runner.isTransactionActive && runner.rollbackTransaction());
  await runner.release();
}

function differencesBetween(actual: readonly Table[], required: readonly Table[]): string[] {
  const [found, wanted] = [byName(actual), byName(required)];
  const lost = required.filter(({ name }) => !found.has(name));
  const foreign = actual.filter(({ name }) => !wanted.has(name));
  const changed = required.flatMap((table) => {
    const columns = found.get(table.name);
    return columns === undefined ? [] : columnDifferences(table, columns);
  });
  return [
    ...lost.map(({ name }) => `the table ${name} is missing`),
    ...foreign.map(
      ({ name }) => `the table ${name} does not belong to Satchel: move it to another schema`,
    ),
    ...changed,
  ];
}

const byName = (tables: readonly Table[]): ReadonlyMap<string, readonly string[]> =>
  new Map(tables.map(({ name, columns }) => [name, columns]));

function columnDifferences({ name, columns }: Table, found: readonly string[]): string[] {
  const missing = columns.filter((column) => !found.includes(column));
  const foreign = found.filter((column) => !columns.includes(column));
  return [
    ...(missing.length > 0 ? [`the table ${name} lacks ${missing.join(', ')}`] : []),
    ...(foreign.length > 0
      ? [`the table ${name} has columns that do not belong to Satchel: ${foreign.join(', ')}`]
      : []),
  ];
}
