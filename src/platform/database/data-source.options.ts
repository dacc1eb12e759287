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
  // By itself pg asks whether there is a Cloudflare, for which Node 20 loads its fetch: 1.5 MB.
  stream: () => new Socket(),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

interface ConnectionLimits {
  /** How long a connection may be silent while an answer is due. */
  readonly answerTimeoutMillis: number;
  /** How long the pool keeps an idle connection; 0 for ever. */
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
      // Statements of a transaction are sent before the answers to earlier ones are there (platform/database/query-rows.ts).
      pipeline: true,
    },
  };
}

/**
 * Sessions are set up by statements only without a pooler: through one, the settings would go to whichever session it
 * hands out, and stay there for other callers.
 */
const sessionsOf = ({ pooler }: Connection): ExtraOptions =>
  pooler === undefined
    ? { onConnect: setUpSession }
    : { preparesStatements: pooler === 'transaction-prepared' };

/** What the pool and its connections are made with, past TypeORM. */
type ExtraOptions = Pick<DatabaseClientConfig, 'preparesStatements'> & {
  readonly onConnect?: typeof setUpSession;
};

/**
 * For migrations, which may wait for another instance and may take long. Without the entities: where these have
 * generated columns, TypeORM adds a table of its own (`typeorm_metadata`) to a database that it migrates.
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
    // The usual logger writes failed migrations to standard output, where answers go (docs/decisions/0009).
    logger: 'debug',
  };
}

/** Where a PostgreSQL server or its pooler listens and which database is meant. */
export interface Connection extends Pick<
  PostgresDataSourceOptions,
  'url' | 'host' | 'port' | 'username' | 'database' | 'ssl'
> {
  /** Each transaction may get another session. */
  readonly pooler?: TransactionPooler | undefined;
  /** What an operator is told to look at; DATABASE_URL by default. */
  readonly variable?: 'DATABASE_DIRECT_URL';
}
