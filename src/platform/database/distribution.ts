import type { DataSource } from 'typeorm';

import type { Connection } from './data-source.options.js';
import { HAS_CITUS } from './database-client.js';
import { underMigrationLock, withDataSource } from './migrator.js';
import { SHARD_COLUMN, tablesAt } from './table-places.js';

/** The tables that an engine has spread already, as it tells of them. */
interface SpreadTable {
  readonly name: string;
  /** Null for a table that is copied to each server. */
  readonly column: string | null;
  /** The rows from before still take their space on the server that the service connects to. */
  readonly hasLocalRows: boolean;
}

/** How far a database with Citus is distributed. */
export interface Distribution {
  readonly isBegun: boolean;
  /** Tables that are to be spread, and are not. */
  readonly missing: readonly string[];
  /** Tables that are spread, and still have local rows. */
  readonly doubled: readonly string[];
}

/** A database cannot be distributed as it is; the message tells why. */
export class DistributionError extends Error {}

/** Refers to users, which stay where they are: the service keeps up what it says (docs/decisions/0082). */
export const DETACH_LISTS = 'ALTER TABLE lists DROP CONSTRAINT IF EXISTS lists_user_id_fkey';

/** Used by statements on lists, and by an index: each server needs them. */
const FUNCTIONS = ['search_grams(bigint,text)', 'is_in_flight(xid)'];

const CAN_DISTRIBUTE = `SELECT to_regproc('create_distributed_table') IS NOT NULL AND ${HAS_CITUS} AS can`;

const SPREAD = `
  SELECT logicalrelid::regclass::text AS name, column_to_column_name(logicalrelid, partkey) AS column,
    pg_relation_size(logicalrelid) > 0 AS "hasLocalRows"
  FROM pg_dist_partition
  WHERE logicalrelid IN (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)`;

/** In this order: a table follows those that it refers to. */
const toSpread = (): string[] => [...tablesAt('reference'), ...tablesAt('personal')];

/**
 * Has Citus put each table where it belongs (table-places.ts), on an up-to-date schema; what it has put there before is
 * left alone. Gives the statements that were run. Throws DistributionError.
 */
export const distributeOverCitus = (connection: Connection): Promise<string[]> =>
  underMigrationLock(connection, async (dataSource) => {
    await requireCitus(dataSource);
    const statements = await statementsLeft(dataSource);
    // Each in a transaction of its own: a table with millions of rows is not copied again where a later one fails.
    for (const statement of statements) {
      await dataSource.query(statement);
    }
    return statements;
  });

async function requireCitus(dataSource: DataSource): Promise<void> {
  const [{ can }] = await dataSource.query<[{ can: boolean }]>(CAN_DISTRIBUTE);
  if (!can) {
    throw new DistributionError(
      'this database has no Citus: name it in shared_preload_libraries, run CREATE EXTENSION citus here as an administrator, and add its servers (docs/scaling.md)',
    );
  }
}

/** Undefined where there is no Citus. */
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
      `distributed otherwise than docs/scaling.md says: ${names}; run SELECT undistribute_table(…) for each, and this command again`,
    );
  }
}

/** In this order: a table follows those that it refers to, and shards lie beside those of `lists`. Empty where nothing is left. */
function distributionStatements({ missing, doubled }: Distribution): string[] {
  // What was in a table before has been copied, and is still here; those that refer to others are emptied first.
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
