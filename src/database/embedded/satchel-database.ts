import { DATABASE, type EmbeddedConnection, MAINTENANCE_DATABASE } from './connection.js';
import { Session } from './session.js';

/** Makes the database unless it is there: a first start may have been killed after initdb. */
export async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  try {
    await Session.use({ ...connection, database: MAINTENANCE_DATABASE }, make);
  } catch (cause) {
    const remedy = 'make room in the data directory and start again';
    throw new Error(`the database ${DATABASE} could not be made: ${remedy}`, { cause });
  }
}

async function make(session: Session): Promise<void> {
  const found = await session.ask('SELECT true FROM pg_database WHERE datname = $1', [DATABASE]);
  if (found !== true) {
    await session.ask(`CREATE DATABASE ${DATABASE} TEMPLATE template0`);
  }
}
