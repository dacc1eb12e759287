import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../lib/embedded-postgres/embedded-postgres.js';
import { hasCluster } from '../../lib/embedded-postgres/home.js';
import type { PreviousClusters } from '../../lib/embedded-postgres/upgrade.js';
import { reasonOf } from '../../lib/util/reason.js';
import type { Config } from '../config/config.js';
import type { copyDatabase } from './copy-database.js';
import type { Connection } from './data-source.options.js';
import { isDatabaseAway } from './database.errors.js';
import { directDataSourceOptions } from './migrator.js';

/** The PostgreSQL server of the service: the one at DATABASE_URL, or the embedded server. */
export interface DatabaseServer {
  /** The connection for transactions. It may go through a pooler that assigns a session per transaction. */
  readonly connection: Connection;
  /**
   * The connection for work that needs its own session, such as migrations. Without a pooler, equal
   * to `connection`.
   */
  readonly direct: Connection;
  readonly isEmbedded: boolean;
  /**
   * The directory of the embedded database, usually in DATA_DIR. The directory is elsewhere if root starts the service
   * and the user of the database server has no access to DATA_DIR.
   */
  readonly directory?: string;
  /** True if this process has just created the embedded database. */
  readonly isNew?: boolean;
  /**
   * Returns the reason why the embedded server stopped, from the log of the server. Returns an empty string if the log
   * contains no reason.
   */
  readonly fatalReason?: () => Promise<string>;
  /** The directories of the embedded database that an earlier major version of PostgreSQL made. */
  readonly previous?: PreviousClusters;
  /**
   * Deletes the copied directories in `previous` after a successful start, except in the start that has upgraded.
   * Returns the deleted directories.
   */
  readonly deletePrevious?: () => Promise<readonly string[]>;
  /** Stops an embedded server that no other process uses. A no-op for other servers. */
  close(): Promise<void>;
}

/**
 * The minimum value of the setting `max_connections` of the embedded server. It is also the default value of
 * PostgreSQL.
 */
const LEAST_CONNECTIONS = 100;
/**
 * The number of connections for locks, migrations and commands, in addition to the connections of the service itself.
 */
const OTHER_CONNECTIONS = 30;

/**
 * Returns the maximum number of connections that all processes of the service can open. Each process has a connection
 * pool, and one more connection with which it checks whether the database answers.
 */
export const connectionsOf = ({ workers, databasePoolSize }: Config): number =>
  (workers === 1 ? 1 : workers + 1) * (databasePoolSize + 1);

type Report = (progress: string) => Promise<void>;

/**
 * Opens the database server. Upgrades the embedded PostgreSQL if `report` is set, which receives the progress.
 * @throws Error if the embedded database needs an upgrade and `report` is not set
 */
export async function openDatabaseServer(config: Config, report?: Report): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) {
    return {
      ...connectionsTo(config.databaseUrl, config),
      isEmbedded: false,
      close: () => Promise.resolve(),
    };
  }
  const { connection: address, directory, created, ...embedded } = await started(config, report);
  // The variable PGSSLMODE must not apply to the embedded server, because TLS is useless on a Unix socket.
  const connection = { ...address, ssl: false };
  return {
    connection,
    direct: connection,
    isEmbedded: true,
    directory,
    isNew: created,
    fatalReason: embedded.fatalReason,
    previous: embedded.previous,
    deletePrevious: embedded.deletePrevious,
    close: () => embedded.stop(),
  };
}

const embeddedDirectory = ({ dataDirectory }: Config): string => join(dataDirectory, 'postgres');

/** Returns false if `openDatabaseServer` would create an embedded database. */
export const hasDatabase = async (config: Config): Promise<boolean> =>
  config.databaseUrl !== undefined || (await hasCluster(embeddedDirectory(config)));

function started(config: Config, report: Report | undefined): Promise<EmbeddedPostgres> {
  const connections = Math.max(LEAST_CONNECTIONS, connectionsOf(config) + OTHER_CONNECTIONS);
  return startEmbeddedPostgres({
    directory: embeddedDirectory(config),
    settings: { max_connections: String(connections) },
    upgrading: report && { copy, report },
  });
}

/** Copies the database for an upgrade. The code is loaded here, because most starts upgrade nothing. */
const copy: typeof copyDatabase = async (from, to) =>
  (await import('./copy-database.js')).copyDatabase(from, to);

function connectionsTo(url: string, config: Config): Pick<DatabaseServer, 'connection' | 'direct'> {
  const { databasePooler: pooler, databaseDirectUrl } = config;
  const isPooled = pooler !== undefined && databaseDirectUrl !== undefined;
  const connection = isPooled ? { url, pooler } : { url };
  return { connection, direct: directConnection(connection, config) };
}

/** Returns the connection for work that needs its own session, beside a connection for transactions. */
export const directConnection = (
  connection: Connection,
  { databaseDirectUrl }: Pick<Config, 'databaseDirectUrl'>,
): Connection =>
  connection.pooler === undefined || databaseDirectUrl === undefined
    ? connection
    : { url: databaseDirectUrl, variable: 'DATABASE_DIRECT_URL' };

export interface ServerFacts {
  readonly version: string;
  readonly now: Date;
  readonly encoding: string;
  readonly autovacuum: string;
  /**
   * The maximum number of connections for roles that are not superusers: the smallest of the limits of the server, the
   * role and the database.
   */
  readonly connections: number;
  /** True for a standby server, and for a database that an administrator has set to read-only. */
  readonly isReadOnly: boolean;
}

/** Reads settings and the clock of the database server. This is raw SQL, because TypeORM has no API for them. */
const SERVER_FACTS = `
  SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
         current_setting('server_encoding') AS encoding, current_setting('autovacuum') AS autovacuum,
         least(
           current_setting('max_connections')::int
             - current_setting('superuser_reserved_connections')::int
             - coalesce(current_setting('reserved_connections', true)::int, 0),
           (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = session_user AND NOT rolsuper),
           (SELECT nullif(datconnlimit, -1) FROM pg_database
            WHERE datname = current_database()
              AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = session_user))) AS connections,
         current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

/** Returns facts about the database server for the operator. Opens a separate connection. */
export async function serverFacts(connection: Connection): Promise<ServerFacts> {
  const dataSource = await new DataSource(directDataSourceOptions(connection, 2)).initialize();
  try {
    const [row] = await dataSource.query<[ServerFacts]>(SERVER_FACTS);
    return row;
  } finally {
    await dataSource.destroy();
  }
}

/**
 * The pauses in seconds after the first failed attempts to open the database. After further failed attempts, the last
 * pause is used again.
 */
const PAUSES_SECONDS = [1, 2, 4, 8];

/** Opens the database when the service starts. If the database is unreachable, retries until it is reachable. */
export class DatabaseOpening {
  private readonly logger = new Logger(DatabaseOpening.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly open: () => Promise<void>) {}

  /**
   * Resolves when the database is open, or after the first attempt if the database is unreachable.
   * Further attempts run in the background. If a further attempt fails with a permanent error,
   * calls `onFailure`.
   *
   * @throws the error of the first attempt if it is permanent
   */
  async begin(onFailure: (error: Error) => void): Promise<void> {
    if (await this.attempt(0)) {
      return;
    }
    this.running = this.repeat().catch((error: unknown) => {
      onFailure(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Stops the background attempts to open the database. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async repeat(): Promise<void> {
    const { signal } = this.stopping;
    let failures = 0;
    do {
      await pause(pauseSeconds(failures) * 1000, undefined, { signal }).catch(() => undefined);
      failures += 1;
    } while (!signal.aborted && !(await this.attempt(failures)));
  }

  private async attempt(failures: number): Promise<boolean> {
    try {
      await this.open();
      return true;
    } catch (error) {
      if (!isDatabaseAway(error)) {
        throw error;
      }
      const reason = reasonOf(error);
      this.logger.warn(`${reason}; tried again in ${pauseSeconds(failures)} s`);
      return false;
    }
  }
}

const pauseSeconds = (failures: number): number =>
  PAUSES_SECONDS[failures] ?? PAUSES_SECONDS.at(-1) ?? 0;
