import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';

import { type Connection, dataSourceOptions } from './data-source.options.js';
import { sqlState, UnfitPoolerError } from './database.errors.js';
import {
  DISTRIBUTED_SETTINGS,
  HAS_CITUS,
  SESSION_SETTINGS,
  SETTING_VALUES,
} from './database-client.js';
import type { DatabaseServer } from './database-server.js';
import {
  isStatementMode,
  requireOwnSessions,
  runMigrations,
  underMigrationLock,
  unreachable,
  withDataSource,
} from './migrator.js';

type Connections = Pick<DatabaseServer, 'connection' | 'direct'>;

/** Properties of a database session behind a pooler. */
interface SessionFacts {
  readonly role: string;
  readonly database: string;
  readonly schema: string | null;
  readonly hasCitus: boolean;
  /**
   * The names of session settings that have a wrong value in this session or in new sessions of the
   * role. Null if all values are right.
   */
  readonly missing: readonly string[] | null;
}

/**
 * Reads the properties of a session. A session setting must be the default value of the database
 * role (`reset_val`), because only such defaults apply to all sessions of the pooler.
 */
const FACTS = `
  SELECT session_user::text AS role, current_database()::text AS database,
         current_schema()::text AS schema, ${HAS_CITUS} AS "hasCitus",
         (SELECT array_agg(name ORDER BY name)
          FROM (VALUES ${SETTING_VALUES.map(([name, value]) => `('${name}', ${value})`).join(', ')}) AS wanted (name, value)
          JOIN pg_settings USING (name)
          WHERE current_setting(name) <> value OR setting <> reset_val) AS missing`;

/**
 * Returns a new SQL text for a test of prepared statements, because sessions of the pooler still
 * know the statements of earlier tests. The text has a parameter, because statements without
 * parameters are not prepared.
 */
const preparedText = (): string => `SELECT $1::text AS word_${randomInt(2 ** 47)}`;
/**
 * The SQLSTATEs for a prepared statement that does not exist in the session, or whose name already
 * exists.
 */
const UNTRACKED = new Set(['26000', '42P05']);

const TRY_LOCK = 'SELECT pg_try_advisory_xact_lock($1) AS "isFree"';
/**
 * Ends the idle sessions of the pooler, because they still have the earlier settings of the role.
 * The pooler then opens new sessions. The application name of pooled sessions is the name of the
 * service or empty.
 */
const END_OLDER = `
  SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = $1 AND usename = $2 AND state = 'idle' AND application_name IN ('satchel', '')`;
const REMAIN = 'SELECT 1 FROM pg_stat_activity WHERE pid = ANY ($1)';
const LOOKS = 40;
const LOOK_EVERY_MS = 50;

/**
 * Migrates the schema. With a pooler that shares sessions, also stores the session settings in the database role, and
 * checks that the pooler meets the requirements of the service.
 *
 * @throws SharedSessionsError if connections at DATABASE_DIRECT_URL share sessions
 * @throws UnfitPoolerError if the pooler does not meet the requirements
 */
export async function prepareDatabase(connections: Connections): Promise<string[]> {
  const { connection, direct } = connections;
  if (connection.pooler === undefined) {
    return runMigrations(direct);
  }
  const facts = await requireSameDatabase(connections);
  const executed = await runMigrations(direct);
  if (facts.missing !== null) {
    await giveSettings(direct, facts);
  }
  await requirePooledSessions(connection).catch((error: unknown) => {
    // Repeats a failed check once, because an instance may just have ended the session.
    return error instanceof UnfitPoolerError
      ? Promise.reject(error)
      : requirePooledSessions(connection);
  });
  return executed;
}

/** Checks the pooler as `prepareDatabase` does, but changes nothing in the database. */
export async function examinePooledSessions(connections: Connections): Promise<void> {
  await requireSameDatabase(connections);
  await requirePooledSessions(connections.connection);
}

/**
 * Returns true if a statement that was prepared in one session of the pooler also runs in another session. The test
 * prepares the statement in one transaction and runs it in a second transaction, which has another session.
 */
export async function keepsPreparedStatements(connection: Connection): Promise<boolean> {
  const prepared: Connection = { ...connection, pooler: 'transaction-prepared' };
  const text = preparedText();
  return withPooledSessions(prepared, async (first, other) => {
    try {
      await first.query(text, ['first']);
      await holdSession(other);
      await first.query(text, ['second']);
      return true;
    } catch (error) {
      if (UNTRACKED.has(sqlState(error))) {
        return false;
      }
      throw error;
    }
  });
}

/**
 * Checks that the pooler and the direct connection reach the same database. While the direct connection holds an
 * advisory lock, the pooler must not get the same lock. The addresses cannot be compared, because a server may have
 * several names.
 */
async function requireSameDatabase({ connection, direct }: Connections): Promise<SessionFacts> {
  const key = randomInt(2 ** 47);
  return withDataSource(direct, async (dataSource) => {
    await requireOwnSessions(direct);
    const session = dataSource.createQueryRunner();
    try {
      await session.query('SELECT pg_advisory_lock($1)', [key]);
      const facts = await factsOf(session);
      const pooled = await withPooledSessions(connection, async (first) => {
        const [{ isFree }] = await first.manager.query<[{ isFree: boolean }]>(TRY_LOCK, [key]);
        return { ...(await factsOf(first)), isFree };
      });
      if (pooled.isFree || pooled.schema !== facts.schema) {
        throw new UnfitPoolerError(
          `DATABASE_DIRECT_URL leads to ${placeOf(facts)}, and the pooler of DATABASE_URL to another one (${placeOf(pooled)}): let both lead to the same`,
        );
      }
      return pooled;
    } finally {
      await session.query('SELECT pg_advisory_unlock($1)', [key]).catch(() => undefined);
      await session.release();
    }
  });
}

const placeOf = ({ database, schema }: SessionFacts): string =>
  `database ${database}, schema ${schema ?? 'none'}`;

/**
 * Stores the session settings as defaults of the database role, so that every session of the pooler begins with them. A
 * role is allowed to change its own settings.
 */
async function giveSettings(direct: Connection, facts: SessionFacts): Promise<void> {
  const give = (dataSource: DataSource): Promise<void> =>
    dataSource.transaction(async (manager) => {
      for (const statement of statementsFor(facts)) {
        await manager.query(statement);
      }
    });
  const work = async (dataSource: DataSource): Promise<void> => {
    await give(dataSource);
    await endOlderSessions(dataSource, facts);
  };
  await underMigrationLock(direct, (dataSource) =>
    work(dataSource).catch((error: unknown) => {
      throw sqlState(error) === '42501' ? lacking(facts) : error;
    }),
  );
}

async function endOlderSessions(
  dataSource: DataSource,
  { database, role }: SessionFacts,
): Promise<void> {
  const ended = await dataSource.query<{ pid: number }[]>(END_OLDER, [database, role]);
  const pids = ended.map(({ pid }) => pid);
  for (let look = 1; look <= LOOKS; look += 1) {
    if ((await dataSource.query<unknown[]>(REMAIN, [pids])).length === 0) {
      return;
    }
    await pause(LOOK_EVERY_MS);
  }
}

const statementsFor = ({ role, database, hasCitus }: SessionFacts): string[] =>
  Object.entries({ ...SESSION_SETTINGS, ...(hasCitus && DISTRIBUTED_SETTINGS) }).map(
    ([name, value]) =>
      `ALTER ROLE ${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)} SET ${name} = '${value}'`,
  );

const lacking = (facts: SessionFacts): UnfitPoolerError =>
  new UnfitPoolerError(
    `sessions behind the pooler of DATABASE_URL lack ${(facts.missing ?? []).join(', ')}: start the service or run "migrate run", or as an administrator ${statementsFor(facts).join('; ')}; then RECONNECT in the console of the pooler`,
  );

/**
 * Checks that two sessions that are open at the same time have all session settings. If the service uses prepared
 * statements, also checks that the pooler makes them available in both sessions.
 */
async function requirePooledSessions(connection: Connection): Promise<void> {
  await withPooledSessions(connection, async (first, other) => {
    const before = await factsOf(first);
    await holdSession(other);
    for (const facts of [before, await factsOf(other), await factsOf(first)]) {
      if (facts.missing !== null) {
        throw lacking(facts);
      }
    }
  });
  if (
    connection.pooler === 'transaction-prepared' &&
    !(await keepsPreparedStatements(connection))
  ) {
    throw new UnfitPoolerError(
      'the pooler of DATABASE_URL does not keep prepared statements: set DATABASE_POOLER=transaction, or its max_prepared_statements to 200 (PgBouncer 1.21 or newer)',
    );
  }
}

/** Begins a transaction, so that the pooler cannot assign this session to another connection. */
async function holdSession(other: QueryRunner): Promise<void> {
  await other.startTransaction().catch((error: unknown) => {
    throw isStatementMode(error)
      ? new UnfitPoolerError(
          'the pooler of DATABASE_URL has pool_mode = statement, without transactions: set it to transaction',
        )
      : error;
  });
  await other.query('SELECT 1');
}

async function factsOf(connection: QueryRunner): Promise<SessionFacts> {
  const [facts] = await connection.manager.query<[SessionFacts]>(FACTS);
  return facts;
}

async function withPooledSessions<T>(
  connection: Connection,
  work: (first: QueryRunner, other: QueryRunner) => Promise<T>,
): Promise<T> {
  const dataSource = await new DataSource(dataSourceOptions(connection, 2))
    .initialize()
    .catch((cause: unknown) => {
      throw unreachable(cause, connection);
    });
  const sessions = [dataSource.createQueryRunner(), dataSource.createQueryRunner()] as const;
  try {
    return await work(...sessions);
  } finally {
    for (const session of sessions) {
      await (session.isTransactionActive && session.rollbackTransaction().catch(() => undefined));
      await session.release();
    }
    await dataSource.destroy();
  }
}
