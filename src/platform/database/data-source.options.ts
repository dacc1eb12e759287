import { Socket } from 'node:net';

import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';

import type { TransactionPooler } from '../config/database-settings.js';
import { CHECK_ANSWER_TIMEOUT_MS, limitWaits } from './checking-session.js';
import {
  ANSWER_TIMEOUT_MS,
  DatabaseClient,
  type DatabaseClientConfig,
  liftLimits,
  setUpSession,
  StatementNames,
} from './database-client.js';
import { snakeCase } from './entity-columns.js';
import { MIGRATIONS } from './migrations.js';

const CLIENT = {
  Client: DatabaseClient,
  // Without the option `stream`, pg checks whether it runs on Cloudflare.
  // The check for Cloudflare makes Node 20 load `fetch`, which takes 1.5 MB of memory.
  stream: () => new Socket(),
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

interface ConnectionLimits {
  /** The time limit until the database begins to respond to a statement. After this time, the connection is closed. */
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
 * Returns the options that depend on the pooler. Without a pooler, the session settings are applied
 * to each new session. Behind a pooler, they are not applied, because another client of the pooler
 * could get the session later.
 */
const sessionsOf = ({ pooler }: Connection): ExtraOptions =>
  pooler === undefined
    ? { onConnect: setUpSession }
    : { preparesStatements: pooler === 'transaction-prepared' };

/** The options that TypeORM passes to the connection pool and its connections. */
type ExtraOptions = Pick<DatabaseClientConfig, 'preparesStatements'> & {
  readonly onConnect?: typeof setUpSession;
};

const UNLIMITED = { onConnect: liftLimits } as const;
const CHECKING = { onConnect: limitWaits, answerTimeoutMillis: CHECK_ANSWER_TIMEOUT_MS } as const;

/**
 * The time limit in milliseconds for opening a connection, or for waiting for a free connection of
 * the pool. A small server that is busy with other work may need some seconds to open a connection.
 */
const CONNECT_TIMEOUT_MS = 5000;

/**
 * Returns options for migrations and checks. Statements have no time limit, except those of checks, because a migration
 * may take long or wait for another instance. The options contain no entities, because TypeORM would create the table
 * `typeorm_metadata` for generated columns of entities.
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
    extra: { ...CLIENT, ...(connection.isForChecks === true ? CHECKING : UNLIMITED) },
    // TypeORM's default logger would write failed migrations to standard output, which is reserved for results.
    logger: 'debug',
  };
}

const tableName = (table: Table | string): string =>
  (typeof table === 'string' ? table : table.name).replace(/^.*\./, '');

/** Names columns in snake_case, and constraints as PostgreSQL does by default, such as `users_email_key`. */
class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, custom: string | undefined): string {
    return custom ?? snakeCase(property);
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${tableName(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_key`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_fkey`;
  }

  override indexName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_idx`;
  }

  override checkConstraintName(table: Table | string, expression: string): string {
    return `${tableName(table)}_${expression.replaceAll(/\W+/g, '_').slice(0, 40)}_check`;
  }
}

/** The address of a PostgreSQL server or its connection pooler, and the name of the database. */
export interface Connection extends Pick<
  PostgresDataSourceOptions,
  'url' | 'host' | 'port' | 'username' | 'database' | 'ssl'
> {
  /**
   * The mode of a pooler that shares sessions between connections. Undefined if each connection has
   * its own session.
   */
  readonly pooler?: TransactionPooler | undefined;
  /**
   * The name of the environment variable with the address of the connection, for error messages. The default is
   * DATABASE_URL.
   */
  readonly variable?: 'DATABASE_DIRECT_URL';
  /** True if no statement may wait long for a lock or for the server, as in the command `doctor`. */
  readonly isForChecks?: boolean;
}
