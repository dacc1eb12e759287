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
  /** For transactions, perhaps through a pooler that has no more than these. */
  readonly connection: Connection;
  /** For what needs a session of its own; the same where there is no such pooler. */
  readonly direct: Connection;
  readonly isEmbedded: boolean;
  /** Where the embedded cluster is: under DATA_DIR, unless root's server user cannot enter that. */
  readonly directory?: string;
  /** This call has made the embedded cluster. */
  readonly isNew?: boolean;
  /** Why the embedded server has ended, as its log says; empty if it says nothing. */
  readonly fatalReason?: () => Promise<string>;
  /** Ends the embedded server unless another process uses it; leaves any other server alone. */
  close(): Promise<void>;
}

/** What the embedded server allows at least, as PostgreSQL does by itself. */
const LEAST_CONNECTIONS = 100;
/** For the locks, migrations, and the command line beside the service. */
const OTHER_CONNECTIONS = 30;

/** How many connections the processes of the service may hold: each its pool, and one to ask whether the database answers. */
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
  // The environment may ask for TLS (PGSSLMODE), which a Unix socket has no use for.
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
  /** How many it allows to roles that are no superusers. */
  readonly connections: number;
}

/** TypeORM has no words for the settings of a server and its clock. */
const SERVER_FACTS = `
  SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
         current_setting('server_encoding') AS encoding, current_setting('autovacuum') AS autovacuum,
         current_setting('max_connections')::int
           - current_setting('superuser_reserved_connections')::int AS connections`;

/** What an operator is told of a server, over a connection of its own. */
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

/** Opens the database when the service starts: at once, or as soon as it answers. */
export class DatabaseOpening {
  private readonly logger = new Logger(DatabaseOpening.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly open: () => Promise<void>) {}

  /**
   * Ends when the database is open, or is known to be away: then it is tried again in the background, where
   * `onFailure` hears of what does not pass by itself. Before that it throws what does not.
   */
  async begin(onFailure: (error: Error) => void): Promise<void> {
    if (await this.attempt(0)) {
      return;
    }
    this.running = this.repeat().catch((error: unknown) => {
      onFailure(error instanceof Error ? error : new Error(String(error)));
    });
  }

  /** Ends what goes on in the background. */
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
