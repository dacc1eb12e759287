import type { DataSource } from 'typeorm';

import type { Connection } from './data-source.options.js';
import { HAS_CITUS } from './database-client.js';
import { underMigrationLock, withDataSource } from './migrator.js';
import { SHARD_COLUMN, tablesAt } from './table-places.js';

/** A distributed table, as Citus reports the table. */
interface SpreadTable {
  readonly name: string;
  /** The column by which the table is distributed. Null for a table that is copied to each server. */
  readonly column: string | null;
  /** True if the server that the service connects to still has rows that were stored before the distribution. */
  readonly hasLocalRows: boolean;
}

/** The progress of distributing a database with Citus. */
export interface Distribution {
  readonly isBegun: boolean;
  /** Tables that should be distributed but are not. */
  readonly missing: readonly string[];
  /** Distributed tables that still have local rows. */
  readonly doubled: readonly string[];
}

/** The database cannot be distributed. The message says why. */
export class DistributionError extends Error {}

/**
 * Drops the foreign key from lists to users, because the table of users is not distributed. The service itself enforces
 * the reference (docs/decisions/0082).
 */
export const DETACH_LISTS = 'ALTER TABLE lists DROP CONSTRAINT IF EXISTS lists_user_id_fkey';

/** The SQL functions that every server needs, because an index or a statement on lists uses the functions. */
const FUNCTIONS = ['search_grams(bigint,text)', 'is_in_flight(xid)'];

const CAN_DISTRIBUTE = `SELECT to_regproc('create_distributed_table') IS NOT NULL AND ${HAS_CITUS} AS can`;

const SPREAD = `
  SELECT logicalrelid::regclass::text AS name, column_to_column_name(logicalrelid, partkey) AS column,
    pg_relation_size(logicalrelid) > 0 AS "hasLocalRows"
  FROM pg_dist_partition
  WHERE logicalrelid IN (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)`;

/** Returns the tables to distribute. Each table comes after the tables that it refers to. */
const toSpread = (): string[] => [...tablesAt('reference'), ...tablesAt('personal')];

/**
 * Distributes the tables over Citus (table-places.ts) and returns the statements that were run. Skips distributed
 * tables. The schema must be up to date.
 *
 * @throws DistributionError if the database cannot be distributed
 */
export const distributeOverCitus = (connection: Connection): Promise<string[]> =>
  underMigrationLock(connection, async (dataSource) => {
    await requireCitus(dataSource);
    const statements = await statementsLeft(dataSource);
    // Each statement has its own transaction. If a statement fails, the tables before it need not be copied again.
    for (const statement of statements) {
      await dataSource.query(statement);
    }
    return statements;
  });

async function requireCitus(dataSource: DataSource): Promise<void> {
  const [{ can }] = await dataSource.query<[{ can: boolean }]>(CAN_DISTRIBUTE);
  if (!can) {
    throw new DistributionError(
      'this database has no Citus: name it in shared_preload_libraries, run CREATE EXTENSION citus here as an administrator, and add its servers (docs/host/scaling.md)',
    );
  }
}

/** Returns the progress of the distribution, or undefined if Citus is not installed. */
export const distributionOf = (connection: Connection): Promise<Distribution | undefined> =>
  withDataSource(connection, async (dataSource) => {
    const [{ can }] = await dataSource.query<[{ can: boolean }]>(CAN_DISTRIBUTE);
    return can ? distributionIn(await spreadTables(dataSource)) : undefined;
  });

const spreadTables = (dataSource: DataSource): Promise<SpreadTable[]> =>
  dataSource.query<SpreadTable[]>(SPREAD, [toSpread()]);

function distributionIn(spread: readonly SpreadTable[]): Distribution {
  const byName = new Map(spread.map((table) => [table.name, table]));
  return {
    isBegun: spread.length > 0,
    missing: toSpread().filter((table) => !byName.has(table)),
    doubled: toSpread().filter((table) => byName.get(table)?.hasLocalRows === true),
  };
}

async function statementsLeft(dataSource: DataSource): Promise<string[]> {
  const spread = await spreadTables(dataSource);
  requireRightPlaces(spread);
  return distributionStatements(distributionIn(spread));
}

function requireRightPlaces(spread: readonly SpreadTable[]): void {
  const references = new Set(tablesAt('reference'));
  const wrong = spread.filter(
    ({ name, column }) => column !== (references.has(name) ? null : SHARD_COLUMN),
  );
  if (wrong.length > 0) {
    const names = wrong.map(({ name }) => name).join(', ');
    throw new DistributionError(
      `distributed otherwise than docs/host/scaling.md says: ${names}; run SELECT undistribute_table(…) for each, and this command again`,
    );
  }
}

/**
 * Returns the statements that are still needed to distribute the tables. Each table comes after the tables that it
 * refers to. The shards of a table are on the same servers as the shards of `lists`.
 */
function distributionStatements({ missing, doubled }: Distribution): string[] {
  // Removes local rows, which have been copied to the shards. Each table is emptied before the tables that it refers
  // to.
  const emptied = toSpread()
    .toReversed()
    .filter((table) => missing.includes(table) || doubled.includes(table))
    .map((table) => `SELECT truncate_local_data_after_distributing_table('${table}')`);
  if (missing.length === 0) {
    return emptied;
  }
  return [
    DETACH_LISTS,
    ...FUNCTIONS.map((name) => `SELECT create_distributed_function('${name}')`),
    ...missing.map(spreading),
    ...emptied,
  ];
}

const spreading = (table: string): string =>
  tablesAt('reference').includes(table)
    ? `SELECT create_reference_table('${table}')`
    : `SELECT create_distributed_table('${table}', '${SHARD_COLUMN}'${besideLists(table)})`;

const besideLists = (table: string): string =>
  table === 'lists' ? '' : `, colocate_with => 'lists'`;
