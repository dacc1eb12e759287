import { DataSource, type QueryRunner } from 'typeorm';

import type { Connection } from './connection.js';
import { dataSourceOptions } from './data-source.options.js';
import { SharedSessionsError } from './database.errors.js';
import { SESSION_SETTINGS } from './session-settings.js';

const FACTS = `SELECT pg_backend_pid() AS session, ${Object.keys(SESSION_SETTINGS)
  .map((name) => `current_setting('${name}') AS ${name}`)
  .join(', ')}`;

const STATEMENT_MODE = 'transaction blocks not allowed';

/**
 * Sees that a connection keeps its session, and that the session keeps its settings. A pooler that has sessions for the
 * length of a transaction gives the one that was used last to whoever comes first: while others hold a transaction,
 * the first connection gets another session than before. Throws SharedSessionsError.
 */
export async function requireOwnSessions(connection: Connection): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions(connection, 3)).initialize();
  const first = dataSource.createQueryRunner();
  const others = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
  try {
    const session = await sessionOf(first);
    for (const other of others) {
      await other.startTransaction().catch(refuseStatementMode);
      await other.query(FACTS);
      if ((await sessionOf(first)) !== session) {
        throw new SharedSessionsError();
      }
    }
  } finally {
    for (const one of [first, ...others]) {
      await (one.isTransactionActive && one.rollbackTransaction().catch(() => undefined));
      await one.release();
    }
    await dataSource.destroy();
  }
}

/** PgBouncer ends the connection, with a code that it has for passing faults too. */
function refuseStatementMode(error: unknown): never {
  const isStatementMode = error instanceof Error && error.message.includes(STATEMENT_MODE);
  throw isStatementMode ? new SharedSessionsError() : error;
}

/** Throws SharedSessionsError where the settings of the connection do not hold. */
async function sessionOf(connection: QueryRunner): Promise<unknown> {
  const [{ session, ...settings }] =
    await connection.manager.query<[Record<string, unknown>]>(FACTS);
  const hold = Object.entries(SESSION_SETTINGS).every(([name, value]) => settings[name] === value);
  if (!hold) {
    throw new SharedSessionsError();
  }
  return session;
}
