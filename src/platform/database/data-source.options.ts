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
  // By default, pg checks for Cloudflare, which makes Node 20 load its fetch: 1.5 MB.
  stream: () => new Socket(),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

interface ConnectionLimits {
  /** How long a connection may be silent while a response is due. */
  readonly answerTimeoutMillis: number;
  /** How long the pool keeps an idle connection; 0 means forever. */
  readonly idleTimeoutMillis: number;
}

const LIMITS: ConnectionLimits = {
  answerTimeoutMillis: ANSWER_TIMEOUT_MS,
  idleTimeoutMillis: 30_000,
};

/** Returns the TypeORM options of the service, with the limits of each session and without entities. */
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
 * Sets up sessions by statements only without a pooler. Through a pooler, the settings would apply to an arbitrary
 * session and stay there for other clients.
 */
const sessionsOf = ({ pooler }: Connection): ExtraOptions =>
  pooler === undefined
    ? { onConnect: setUpSession }
    : { preparesStatements: pooler === 'transaction-prepared' };

/** Options of the pool and its connections that TypeORM passes on. */
type ExtraOptions = Pick<DatabaseClientConfig, 'preparesStatements'> & {
  readonly onConnect?: typeof setUpSession;
};

/**
 * Returns the options for migrations, without time limits: migrations may take long and may wait for another instance.
 * Contains no entities, because their generated columns would make TypeORM create its table `typeorm_metadata`.
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
    // The schema needs no extension, and an ordinary role may not create one.
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
  /** Set if each transaction may get another session. */
  readonly pooler?: TransactionPooler | undefined;
  /** The variable that error messages name; DATABASE_URL by default. */
  readonly variable?: 'DATABASE_DIRECT_URL';
}
