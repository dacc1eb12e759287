import { DataSource, type EntityManager } from 'typeorm';

import type { Connection } from './data-source.options.js';
import { sqlState, UnfitReplicaError } from './database.errors.js';
import { directDataSourceOptions, requireOwnSessions } from './migrator.js';
import { keepsPreparedStatements } from './pooled-sessions.js';

/** What tells whether a server is a copy of another, and of the same database. */
interface ServerIdentity {
  readonly isReplica: boolean;
  /** Given when a cluster is made; its copies have it too. */
  readonly cluster: string;
  readonly database: string;
  readonly schema: string | null;
}

/** How far a replica has come. */
interface Progress {
  /** What the primary server has written and the replica has not replayed. */
  readonly bytesBehind: number;
  readonly isPaused: boolean;
}

const IDENTITY = `
  SELECT pg_is_in_recovery() AS "isReplica", system_identifier::text AS cluster,
         current_database()::text AS database, current_schema()::text AS schema
  FROM pg_control_system()`;
const MIGRATIONS = 'SELECT name FROM migrations ORDER BY name';
const NO_TABLE = '42P01';

const WRITTEN = 'SELECT pg_current_wal_lsn()::text AS place';
const PROGRESS = `
  SELECT greatest(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0)::float8 AS "bytesBehind",
         pg_is_wal_replay_paused() AS "isPaused"`;

/** Sees that the replica follows the primary server and has the schema of the same database. Throws UnfitReplicaError. */
export async function requireReplica(
  primary: EntityManager,
  replica: EntityManager,
): Promise<void> {
  const own = await identityOf(primary);
  const { isReplica, cluster, database, schema } = await identityOf(replica);
  if (!isReplica) {
    throw new UnfitReplicaError('it is not a replica: it takes writes, as a promoted one does');
  }
  if (cluster !== own.cluster) {
    throw new UnfitReplicaError('it follows another server than that of DATABASE_URL');
  }
  if (database !== own.database || schema !== own.schema) {
    throw new UnfitReplicaError(
      `its URL leads to database ${database}, schema ${schema ?? 'none'}, and DATABASE_URL to ${own.database}, ${own.schema ?? 'none'}`,
    );
  }
  if ((await migrationsOf(replica)) !== (await migrationsOf(primary))) {
    throw new UnfitReplicaError('it has not replayed all migrations of the schema');
  }
}

/**
 * What an operator is told of a replica, over connections of its own. Throws UnfitReplicaError, SharedSessionsError,
 * and as connecting fails.
 */
export async function examineReplica(direct: Connection, replica: Connection): Promise<Progress> {
  return withManager(direct, (primary) =>
    withManager(replica, async (copy) => {
      await requireReplica(primary, copy);
      await requireUsableSessions(replica);
      const [{ place }] = await primary.query<[{ place: string }]>(WRITTEN);
      const [progress] = await copy.query<[Progress]>(PROGRESS, [place]);
      return progress;
    }),
  );
}

/** Host, port and database: what may be shown of its URL. */
export function replicaName(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

async function requireUsableSessions(replica: Connection): Promise<void> {
  if (replica.pooler === undefined) {
    await requireOwnSessions(replica);
  } else if (
    replica.pooler === 'transaction-prepared' &&
    !(await keepsPreparedStatements(replica))
  ) {
    throw new UnfitReplicaError(
      'its pooler does not keep prepared statements, as DATABASE_POOLER=transaction-prepared says',
    );
  }
}

async function identityOf(manager: EntityManager): Promise<ServerIdentity> {
  const [identity] = await manager.query<[ServerIdentity]>(IDENTITY);
  return identity;
}

async function migrationsOf(manager: EntityManager): Promise<string> {
  try {
    const rows = await manager.query<{ name: string }[]>(MIGRATIONS);
    return rows.map(({ name }) => name).join(' ');
  } catch (error) {
    if (sqlState(error) === NO_TABLE) {
      return '';
    }
    throw error;
  }
}

async function withManager<T>(
  connection: Connection,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const dataSource = await new DataSource(directDataSourceOptions(connection, 2)).initialize();
  try {
    return await work(dataSource.manager);
  } finally {
    await dataSource.destroy();
  }
}
