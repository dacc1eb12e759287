import type { DataSource } from 'typeorm';

import type { Connection } from './data-source.options.js';
import { HAS_TWO_PHASES, TWO_PHASES_TABLE } from './database.js';
import { HAS_CITUS } from './database-client.js';
import { askShardServers, limitStatements, type ShardServer } from './distributed-servers.js';
import { underMigrationLock, withDataSource } from './migrator.js';
import { SHARD_COLUMN, tablesAt } from './table-places.js';

/** A table that Citus has distributed over servers. */
interface SpreadTable {
  readonly name: string;
  /** The column by which the rows are distributed. Null for a table that is copied to each server. */
  readonly column: string | null;
  /**
   * True if the server to which the service connects still stores the rows that the table had before it was
   * distributed.
   */
  readonly hasLocalRows: boolean;
}

/** The progress of distributing a database over servers with Citus. */
export interface Distribution {
  /** The other servers of the database. */
  readonly servers: readonly ShardServer[];
  /** True if the changes of a list and of local tables are committed together. */
  readonly hasTwoPhases: boolean;
  readonly isBegun: boolean;
  /** Tables that are not distributed over servers yet. */
  readonly missing: readonly string[];
  /**
   * Distributed tables whose rows from before the distribution are still on the server to which the service connects.
   */
  readonly doubled: readonly string[];
}

/** The database cannot be distributed with Citus. The message contains the reason. */
export class DistributionError extends Error {}

/**
 * Drops the foreign key from the table `lists` to the table `users`. Citus does not support this foreign key, because
 * `users` stays on one server. The service itself enforces the reference (docs/decisions/0082).
 */
export const DETACH_LISTS = 'ALTER TABLE lists DROP CONSTRAINT IF EXISTS lists_user_id_fkey';

/** The SQL functions that must exist on every server, because an index or a statement on lists calls them. */
const FUNCTIONS = ['search_grams(bigint,text)', 'is_in_flight(xid)'];

/**
 * Creates the table that makes commits atomic. Citus manages the table, but its rows stay on the server to which the
 * service connects.
 */
const CREATE_TWO_PHASES = [
  'CREATE SCHEMA IF NOT EXISTS satchel_citus',
  `CREATE TABLE IF NOT EXISTS ${TWO_PHASES_TABLE} (id integer PRIMARY KEY)`,
  `SELECT citus_add_local_table_to_metadata('${TWO_PHASES_TABLE}')`,
];

const CAN_DISTRIBUTE = `SELECT to_regproc('create_distributed_table') IS NOT NULL AND ${HAS_CITUS} AS can`;

const SPREAD = `
  SELECT logicalrelid::regclass::text AS name, column_to_column_name(logicalrelid, partkey) AS column,
    pg_relation_size(logicalrelid) > 0 AS "hasLocalRows"
  FROM pg_dist_partition
  WHERE logicalrelid IN (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)`;

/**
 * Returns the names of the tables to distribute. A table comes after all tables that its foreign
 * keys refer to.
 */
const toSpread = (): string[] => [...tablesAt('reference'), ...tablesAt('personal')];

/**
 * Distributes the tables over servers with Citus, as defined in table-places.ts. Skips tables that are already
 * distributed. Returns the SQL statements that were run. The schema must be up to date.
 *
 * @throws DistributionError if the database cannot be distributed
 */
export const distributeOverCitus = (connection: Connection): Promise<string[]> =>
  underMigrationLock(connection, async (dataSource) => {
    await requireCitus(dataSource);
    const statements = await statementsLeft(dataSource);
    // Each statement has its own transaction. If a statement fails, the earlier tables stay distributed.
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

/** Returns the progress of distributing the tables with Citus. Returns undefined if Citus is not installed. */
export const distributionOf = (connection: Connection): Promise<Distribution | undefined> =>
  withDataSource(connection, async (dataSource) => {
    const [{ can }] = await dataSource.query<[{ can: boolean }]>(CAN_DISTRIBUTE);
    return can ? distributionIn(dataSource) : undefined;
  });

/**
 * Backups need all tables on one server, because Citus cannot read several servers at the same moment.
 * @throws DistributionError if lists are distributed over several servers
 */
export async function requireOneServer(connection: Connection): Promise<void> {
  const distribution = await distributionOf(connection);
  if (distribution?.isBegun === true) {
    throw new DistributionError(
      'lists are distributed over several servers, which a backup cannot read at one moment: use the tools of PostgreSQL on each server (docs/host/scaling.md)',
    );
  }
}

const spreadTables = (dataSource: DataSource): Promise<SpreadTable[]> =>
  dataSource.query<SpreadTable[]>(SPREAD, [toSpread()]);

async function distributionIn(dataSource: DataSource): Promise<Distribution> {
  const spread = await spreadTables(dataSource);
  const byName = new Map(spread.map((table) => [table.name, table]));
  const [{ hasTwoPhases }] = await dataSource.query<[{ hasTwoPhases: boolean }]>(
    `SELECT ${HAS_TWO_PHASES} AS "hasTwoPhases"`,
  );
  return {
    servers: await askShardServers(dataSource),
    hasTwoPhases,
    isBegun: spread.length > 0,
    missing: toSpread().filter((table) => !byName.has(table)),
    doubled: toSpread().filter((table) => byName.get(table)?.hasLocalRows === true),
  };
}

async function statementsLeft(dataSource: DataSource): Promise<string[]> {
  requireRightPlaces(await spreadTables(dataSource));
  const distribution = await distributionIn(dataSource);
  const hasLimits = distribution.servers.every((server) => server.hasLimits);
  return [
    ...(distribution.hasTwoPhases ? [] : CREATE_TWO_PHASES),
    ...distributionStatements(distribution),
    // Citus passes on the settings of a role only after a table of the role was distributed.
    ...(hasLimits ? [] : await limitStatements(dataSource)),
  ];
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
 * Returns the SQL statements that are still necessary to distribute the tables, in the order that
 * the foreign keys require. All tables with rows of single users are distributed like `lists`, so
 * that the rows of one user are on the same server.
 */
function distributionStatements({ missing, doubled }: Distribution): string[] {
  // After Citus has copied the rows of a table to other servers, the original rows are removed.
  // A table is emptied before the tables that its foreign keys refer to.
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
