import { readPidFile } from './pid-file.js';

/** How to connect to the embedded server as the owner of its cluster. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly database: string;
}

export const OWNER = 'satchel';
export const DATABASE = 'satchel';
/** The database every cluster has. */
export const MAINTENANCE_DATABASE = 'postgres';

/** The connection to the running server, which may have been started by another process. */
export async function connectionTo(cluster: string): Promise<EmbeddedConnection> {
  const found = await readPidFile(cluster);
  if (found === undefined) {
    throw new Error(`no PostgreSQL server is running on ${cluster}`);
  }
  return { host: found.host, port: found.port, username: OWNER, database: DATABASE };
}
