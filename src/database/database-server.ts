import { join } from 'node:path';

import type { Config } from '../config/config.js';
import type { Connection } from './connection.js';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';

/** The PostgreSQL server in use: the one of DATABASE_URL, or the embedded one. */
export interface DatabaseServer {
  readonly connection: Connection;
  readonly isEmbedded: boolean;
  /** Where the embedded cluster is: under DATA_DIR, unless root's server user cannot enter that. */
  readonly directory?: string;
  /** This call has made the embedded cluster. */
  readonly isNew?: boolean;
  /** Ends the embedded server unless another process uses it; leaves any other server alone. */
  close(): Promise<void>;
}

export async function openDatabaseServer(config: Config): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined) {
    return {
      connection: { url: config.databaseUrl },
      isEmbedded: false,
      close: () => Promise.resolve(),
    };
  }
  const embedded = await startEmbeddedPostgres({
    directory: join(config.dataDirectory, 'postgres'),
  });
  return {
    // The environment may ask for TLS (PGSSLMODE), which a Unix socket has no use for.
    connection: { ...embedded.connection, ssl: false },
    isEmbedded: true,
    directory: embedded.directory,
    isNew: embedded.created,
    close: () => embedded.stop(),
  };
}
