import { DATABASE, type EmbeddedConnection, MAINTENANCE_DATABASE } from './connection.js';
import { Session } from './session.js';

/** Makes the database unless it is there: initdb makes the cluster only, and may have been the last to run. */
export async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  await Session.use({ ...connection, database: MAINTENANCE_DATABASE }, async (session) => {
    const found = await session.ask('SELECT true FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found !== true) {
      await session.ask(`CREATE DATABASE ${DATABASE} TEMPLATE template0`);
    }
  });
}
