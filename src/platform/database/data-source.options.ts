import { Socket } from 'node:net';

import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';

import type { TransactionPooler } from '../config/database-settings.js';
import {
  ANSWER_TIMEOUT_MS,
  DatabaseClient,
  type DatabaseClientConfig,
  liftLimits,
  setUpSession,
  StatementNames,
} from './database-client.js';
import { MIGRATIONS } from './migrations.js';
import { SnakeNamingStrategy } from './snake-naming-strategy.js';

const CLIENT = {
  Client: DatabaseClient,
  // Without this option, pg checks whether it runs on Cloudflare.
  // pg's check for Cloudflare makes Node 20 load `fetch`, which takes 1.5 MB of memory.
  stream: () => new Socket(),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

interface ConnectionLimits {
  /** The time in which a response of the database must begin. After this time, a silent connection is closed. */
  readonly answerTimeoutMillis: number;
  /** The time after which the pool closes an idle connection. 0 means never. */
  readonly idleTimeoutMillis: number;
}

const LIMITS: ConnectionLimits = {
  answerTimeoutMillis: ANSWER_TIMEOUT_MS,
  idleTimeoutMillis: 30_000,
};

/** Returns TypeORM options with the session settings and time limits of the service. The caller adds the entities. */
export function dataSourceOptions(
  connection: Connection,
  poolSize: number,
  limits: Partial<ConnectionLimits> = {},
): PostgresDataSourceOptions {
  return {
    ...unlimitedDataSourceOptions(connection, poolSize),
    extra: {
      ...CLIENT,
      ...LIMITS,
      ...limits,
      statementNames: new StatementNames(),
      ...sessionsOf(connection),
      // Sends statements of a transaction without waiting for earlier responses (platform/database/query-rows.ts).
      pipeline: true,
    },
  };
}

/**
 * Returns options that apply the session settings after connecting. Behind a pooler, returns no such option, because
 * the session with these settings could later belong to another client of the pooler.
 */
const sessionsOf = ({ pooler }: Connection): ExtraOptions =>
  pooler === undefined
    ? { onConnect: setUpSession }
    : { preparesStatements: pooler === 'transaction-prepared' };

/** The options that TypeORM passes to the connection pool and its connections. */
type ExtraOptions = Pick<DatabaseClientConfig, 'preparesStatements'> & {
  readonly onConnect?: typeof setUpSession;
};

/**
 * The time limit in milliseconds for a new connection, and for the wait for a free connection of a full pool. A small
 * server that is busy with other work may need some seconds for a new connection.
 */
const CONNECT_TIMEOUT_MS = 5000;

/**
 * Returns options for migrations. They set no time limits, because a migration may take long or wait for another
 * instance. They have no entities, because TypeORM would create the table `typeorm_metadata` for generated columns.
 */
export function unlimitedDataSourceOptions(
  connection: Connection,
  poolSize: number,
): PostgresDataSourceOptions {
  return {
    type: 'postgres',
    ...connection,
    migrations: MIGRATIONS,
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
    migrationsTransactionMode: 'each',
    // TypeORM must not create PostgreSQL extensions: the schema needs none, and an ordinary role may not create any.
    installExtensions: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolSize,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    applicationName: 'satchel',
    extra: { ...CLIENT, onConnect: liftLimits },
    // TypeORM's default logger would write failed migrations to standard output, which is reserved for results.
    logger: 'debug',
  };
}

/** The address of a PostgreSQL server or its connection pooler, and the name of the database. */
export interface Connection extends Pick<
  PostgresDataSourceOptions,
  'url' | 'host' | 'port' | 'username' | 'database' | 'ssl'
> {
  /**
   * The mode of the pooler if each transaction may run in another session. Undefined if each connection keeps one
   * session.
   */
  readonly pooler?: TransactionPooler | undefined;
  /**
   * The name of the environment variable that contains the address, for error messages. The default is DATABASE_URL.
   */
  readonly variable?: 'DATABASE_DIRECT_URL';
}
