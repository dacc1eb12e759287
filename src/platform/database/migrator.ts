import { DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';

import { reasonOf } from '../../lib/util/reason.js';
import {
  type Connection,
  dataSourceOptions,
  unlimitedDataSourceOptions,
} from './data-source.options.js';
import { SharedSessionsError } from './database.errors.js';
import { SETTING_VALUES } from './database-client.js';
import { NewerDatabaseError, requireKnownSchema, storeVersion } from './schema-version.js';

/**
 * The key of the advisory lock for migrations. It is an arbitrary constant. Without the lock, TypeORM would let two
 * instances run the same migration at the same time.
 */
const MIGRATION_LOCK = 7_270_001;
const OLDEST_SUPPORTED = 130_000;

/**
 * The application name of connections that bypass the pooler. When the service starts, it ends old
 * sessions of the pooler, but no sessions with this name (platform/database/pooled-sessions.ts).
 */
export const DIRECT_NAME = 'satchel-direct';

/** Returns options for a connection that bypasses the pooler, with the session settings of the service. */
export const directDataSourceOptions = (
  connection: Connection,
  poolSize: number,
): PostgresDataSourceOptions => ({
  ...dataSourceOptions(connection, poolSize),
  applicationName: DIRECT_NAME,
});

const REWRITTEN = `
  SELECT oid::regclass::text AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relallvisible = 0
    AND pg_relation_size(oid) > 0`;

export interface MigrationStatus {
  readonly executed: readonly string[];
  readonly pending: readonly string[];
  /** The reason why this version of Satchel cannot use the database. Undefined if this version can use it. */
  readonly refusal: string | undefined;
}

/**
 * Migrates the schema, and returns the names of the migrations that were run. If several instances start at the same
 * time, one of them migrates and the others wait.
 */
export const runMigrations = (connection: Connection): Promise<string[]> =>
  underMigrationLock(connection, async (dataSource) => {
    const executed = names(await dataSource.runMigrations());
    await storeVersion(dataSource, executed.length > 0);
    if (executed.length > 0) {
      await vacuumRewritten(dataSource);
    }
    return executed;
  });

/**
 * Vacuums the tables that a migration has rewritten. A rewritten table has no statistics and no visibility map, so an
 * index-only scan must look up every row in the table. Autovacuum would start only after a hundredth of the rows has
 * changed. Empty tables are skipped, because after a vacuum, the planner would treat an empty table as empty even when
 * it has rows again.
 */
export async function vacuumRewritten(dataSource: DataSource): Promise<void> {
  const tables = await dataSource.query<{ name: string }[]>(REWRITTEN);
  for (const { name } of tables) {
    await dataSource.query(`VACUUM (ANALYZE) ${name}`);
  }
}

/** Reverts the newest migration. */
export const revertMigration = (connection: Connection): Promise<void> =>
  underMigrationLock(connection, (dataSource) => dataSource.undoLastMigration());

/**
 * Returns the names of the executed and the pending migrations. `refusal` contains the reason if a
 * newer version of Satchel has migrated the database.
 */
export const migrationStatus = (connection: Connection): Promise<MigrationStatus> =>
  withSupportedServer(connection, DIRECT_NAME, async (dataSource) => {
    const executor = new MigrationExecutor(dataSource);
    return {
      // TypeORM returns executed migrations from newest to oldest, but pending ones from oldest to newest.
      executed: names(await executor.getExecutedMigrations()).toReversed(),
      pending: names(await executor.getPendingMigrations()),
      refusal: await requireKnownSchema(dataSource).then(
        () => undefined,
        (error: unknown) => expectNewer(error).message,
      ),
    };
  });

function expectNewer(error: unknown): NewerDatabaseError {
  if (error instanceof NewerDatabaseError) {
    return error;
  }
  throw error;
}

const names = (migrations: readonly Migration[]): string[] => migrations.map(({ name }) => name);

/**
 * Calls `work` with a data source of two connections, which have the given application name and no time limits. Closes
 * the data source afterwards.
 *
 * @throws NewerDatabaseError if a newer version has migrated the database
 */
export async function withDataSource<T>(
  connection: Connection,
  work: (dataSource: DataSource) => Promise<T>,
  name = DIRECT_NAME,
): Promise<T> {
  return withSupportedServer(connection, name, async (dataSource) => {
    await requireKnownSchema(dataSource);
    return work(dataSource);
  });
}

async function withSupportedServer<T>(
  connection: Connection,
  name: string,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await opened(connection, name);
  try {
    await requireSupportedVersion(dataSource);
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

function opened(connection: Connection, name: string): Promise<DataSource> {
  const options = { ...unlimitedDataSourceOptions(connection, 2), applicationName: name };
  return new DataSource(options).initialize().catch((cause: unknown) => {
    throw unreachable(cause, connection);
  });
}

/** Returns an error whose message says in one sentence why a connection failed. `cause` is the original error. */
export function unreachable(cause: unknown, { variable, pooler }: Connection): Error {
  const way = pooler === undefined ? '' : ' through the pooler of DATABASE_URL';
  const where = variable === undefined ? way : ` at ${variable}`;
  const message = `the database cannot be reached${where}: ${explained(reasonOf(cause))}`;
  return new Error(message, { cause });
}

/**
 * Adds advice to a pooler's error about an unknown startup parameter. The unknown parameter can only come from
 * DATABASE_URL, because the service itself sends only standard parameters.
 */
const explained = (reason: string): string =>
  reason.startsWith('unsupported startup parameter')
    ? `${reason}: take it out of DATABASE_URL, or name it in ignore_startup_parameters of the pooler`
    : reason;

/**
 * Calls `work` while holding a lock that delays the migrations of other processes. The server
 * releases the lock when the connection closes, even if this process is killed.
 */
export function underMigrationLock<T>(
  connection: Connection,
  work: (dataSource: DataSource) => Promise<T>,
  name?: string,
): Promise<T> {
  const locked = async (dataSource: DataSource): Promise<T> => {
    // Behind a pooler, the next statement could run in another session, which does not hold the lock.
    await requireOwnSessions(connection);
    const session = dataSource.createQueryRunner();
    try {
      await session.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      return await work(dataSource);
    } finally {
      await session.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await session.release();
    }
  };
  return withDataSource(connection, locked, name);
}

async function requireSupportedVersion(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<{ number: number; version: string }[]>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  if (row === undefined || row.number < OLDEST_SUPPORTED) {
    throw new Error(
      `PostgreSQL 13 or newer is needed; this server is ${row?.version ?? 'unknown'}`,
    );
  }
}

const FACTS = `SELECT pg_backend_pid() AS session, ${SETTING_VALUES.map(
  ([name, value]) => `current_setting('${name}') = ${value}`,
).join(' AND ')} AS hold`;

const STATEMENT_MODE = 'transaction blocks not allowed';

/**
 * Checks that a connection keeps its session, and that the session keeps its settings. A pooler
 * usually assigns the session that was used last. Other connections therefore begin transactions in
 * this session, so that a pooler must give the first connection a different session.
 *
 * @throws SharedSessionsError if the connection loses its session, or the session loses its
 * settings
 */
export async function requireOwnSessions(connection: Connection): Promise<void> {
  const { variable } = connection;
  const dataSource = await new DataSource(directDataSourceOptions(connection, 3)).initialize();
  const first = dataSource.createQueryRunner();
  const others = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
  try {
    const session = await sessionOf(first, variable);
    for (const other of others) {
      await other.startTransaction().catch((error: unknown) => {
        throw isStatementMode(error) ? new SharedSessionsError(variable) : error;
      });
      await other.query(FACTS);
      if ((await sessionOf(first, variable)) !== session) {
        throw new SharedSessionsError(variable);
      }
    }
  } finally {
    for (const one of [first, ...others]) {
      await (one.isTransactionActive && one.rollbackTransaction().catch(() => undefined));
      await one.release();
    }
    await dataSource.destroy();
  }
}

/**
 * Returns true for the error of a pooler in the mode `statement`. Checks the message, because PgBouncer uses one error
 * code for this error and for temporary errors.
 */
export const isStatementMode = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(STATEMENT_MODE);

/**
 * Returns the id of the database session that the connection uses.
 *
 * @throws SharedSessionsError if the session does not have the session settings of the service
 */
async function sessionOf(
  connection: QueryRunner,
  variable: Connection['variable'],
): Promise<unknown> {
  const [{ session, hold }] =
    await connection.manager.query<[{ session: number; hold: boolean }]>(FACTS);
  if (!hold) {
    throw new SharedSessionsError(variable);
  }
  return session;
}
