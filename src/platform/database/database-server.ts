import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';

import { startEmbeddedPostgres } from '../../lib/embedded-postgres/embedded-postgres.js';
import { reasonOf } from '../../lib/util/reason.js';
import type { Config } from '../config/config.js';
import type { Connection } from './data-source.options.js';
import { isDatabaseAway } from './database.errors.js';
import { directDataSourceOptions } from './migrator.js';

/** The PostgreSQL server in use: the one of DATABASE_URL, or the embedded one. */
export interface DatabaseServer {
  /** For transactions. May go through a pooler that supports only these. */
  readonly connection: Connection;
  /** For work that needs its own session. Equals `connection` if there is no such pooler. */
  readonly direct: Connection;
  readonly isEmbedded: boolean;
  /**
   * The directory of the embedded cluster. It is under DATA_DIR, unless root starts the service and the user of the
   * server cannot enter DATA_DIR.
   */
  readonly directory?: string;
  /** True if this call created the embedded cluster. */
  readonly isNew?: boolean;
  /** Returns why the embedded server ended, according to its log. Empty if the log has no reason. */
  readonly fatalReason?: () => Promise<string>;
  /** Stops the embedded server unless another process uses it. A no-op for other servers. */
  close(): Promise<void>;
}

/** The minimum number of connections of the embedded server, which is the default of PostgreSQL. */
const LEAST_CONNECTIONS = 100;
/** Connections for locks, for migrations, and for commands that run beside the service. */
const OTHER_CONNECTIONS = 30;

/**
 * Returns how many connections the processes of the service may hold: a pool per process, and one connection each to
 * check whether the database answers.
 */
export const connectionsOf = ({ workers, databasePoolSize }: Config): number =>
  (workers === 1 ? 1 : workers + 1) * (databasePoolSize + 1);

export async function openDatabaseServer(config: Config): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) {
    return {
      ...connectionsTo(config.databaseUrl, config),
      isEmbedded: false,
      close: () => Promise.resolve(),
    };
  }
  const connections = Math.max(LEAST_CONNECTIONS, connectionsOf(config) + OTHER_CONNECTIONS);
  const embedded = await startEmbeddedPostgres({
    directory: join(config.dataDirectory, 'postgres'),
    settings: { max_connections: String(connections) },
  });
  // The environment may require TLS (PGSSLMODE), which is useless on a Unix socket.
  const connection = { ...embedded.connection, ssl: false };
  return {
    connection,
    direct: connection,
    isEmbedded: true,
    directory: embedded.directory,
    isNew: embedded.created,
    fatalReason: embedded.fatalReason,
    close: () => embedded.stop(),
  };
}

function connectionsTo(
  url: string,
  { databasePooler, databaseDirectUrl }: Config,
): Pick<DatabaseServer, 'connection' | 'direct'> {
  return databasePooler === undefined || databaseDirectUrl === undefined
    ? { connection: { url }, direct: { url } }
    : {
        connection: { url, pooler: databasePooler },
        direct: { url: databaseDirectUrl, variable: 'DATABASE_DIRECT_URL' },
      };
}

interface ServerFacts {
  readonly version: string;
  readonly now: Date;
  readonly encoding: string;
  readonly autovacuum: string;
  /** How many connections roles may open that are not superusers. */
  readonly connections: number;
}

/** TypeORM has no API for the settings and the clock of a server. */
const SERVER_FACTS = `
  SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
         current_setting('server_encoding') AS encoding, current_setting('autovacuum') AS autovacuum,
         current_setting('max_connections')::int
           - current_setting('superuser_reserved_connections')::int AS connections`;

/** Reads facts about a server for the operator, over a separate connection. */
export async function serverFacts(connection: Connection): Promise<ServerFacts> {
  const dataSource = await new DataSource(directDataSourceOptions(connection, 2)).initialize();
  try {
    const [row] = await dataSource.query<[ServerFacts]>(SERVER_FACTS);
    return row;
  } finally {
    await dataSource.destroy();
  }
}

/** The pauses after failed attempts; the last one repeats. */
const PAUSES_SECONDS = [1, 2, 4, 8];

/** Opens the database at the start of the service, or later as soon as it is reachable. */
export class DatabaseOpening {
  private readonly logger = new Logger(DatabaseOpening.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly open: () => Promise<void>) {}

  /**
   * Resolves when the database is open or known to be unreachable. An unreachable database is retried in the
   * background. There, a permanent error is passed to `onFailure`.
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

  /** Stops the retries in the background. */
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
