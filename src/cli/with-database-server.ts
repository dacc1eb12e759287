import { type Config, loadConfig } from '../platform/config/config.js';
import { type DatabaseServer, openDatabaseServer } from '../platform/database/database-server.js';
import { tell } from './terminal.js';

/**
 * Calls `work` with the database server, even if the service is running. Afterwards, stops an
 * embedded server that no other process uses.
 */
export async function withDatabaseServer<T>(
  work: (server: DatabaseServer, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig();
  const server = await openDatabaseServer(config);
  try {
    if (server.isNew === true) {
      tell(`made a new database in ${server.directory ?? config.dataDirectory}`);
    }
    return await work(server, config);
  } finally {
    await server.close();
  }
}
