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
  // By default, pg checks for Cloudflare. The check makes Node 20 load its `fetch`, which takes 1.5 MB.
  stream: () => new Socket(),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

interface ConnectionLimits {
  /** The time for which a connection may be silent while a response is due. */
  readonly answerTimeoutMillis: number;
  /** The time for which the pool keeps an idle connection. 0 means no limit. */
  readonly idleTimeoutMillis: number;
}

const LIMITS: ConnectionLimits = {
  answerTimeoutMillis: ANSWER_TIMEOUT_MS,
  idleTimeoutMillis: 30_000,
};

/**
 * Returns the TypeORM options of the service, including the time limits of sessions. The options contain no entities.
 */
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
      // Sends the statements of a transaction without waiting for earlier responses (platform/database/query-rows.ts).
      pipeline: true,
    },
  };
}

/**
 * Returns the options that set up each session by statements. Returns no such options for a pooler: the settings would
 * change an arbitrary session of the pooler, which other clients use later.
 */
const sessionsOf = ({ pooler }: Connection): ExtraOptions =>
  pooler === undefined
    ? { onConnect: setUpSession }
    : { preparesStatements: pooler === 'transaction-prepared' };

/** Options that TypeORM passes to the pool and its connections. */
type ExtraOptions = Pick<DatabaseClientConfig, 'preparesStatements'> & {
  readonly onConnect?: typeof setUpSession;
};

/**
 * Returns the options for migrations, without time limits, because a migration may take long or wait for another
 * instance. Contains no entities, because generated columns of entities would make TypeORM create the table
 * `typeorm_metadata`.
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
    // The schema needs no extension, and an ordinary role may not create extensions.
    installExtensions: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    poolSize,
    connectTimeoutMS: 2000,
    applicationName: 'satchel',
    extra: { ...CLIENT, onConnect: liftLimits },
    // The default logger writes failed migrations to standard output, which is reserved for results
    // (docs/decisions/0009).
    logger: 'debug',
  };
}

/** The address of a PostgreSQL server or its pooler, and the database. */
export interface Connection extends Pick<
  PostgresDataSourceOptions,
  'url' | 'host' | 'port' | 'username' | 'database' | 'ssl'
> {
  /** The pooler, if each transaction may run in another session. Undefined without such a pooler. */
  readonly pooler?: TransactionPooler | undefined;
  /** The variable that contains the address, for error messages. DATABASE_URL by default. */
  readonly variable?: 'DATABASE_DIRECT_URL';
}
