import { SharedSessionsError, UnfitPoolerError } from '../../platform/database/database.errors.js';
import type { DatabaseServer } from '../../platform/database/database-server.js';
import { requireOwnSessions } from '../../platform/database/migrator.js';
import {
  examinePooledSessions,
  keepsPreparedStatements,
} from '../../platform/database/pooled-sessions.js';
import { failed, type Finding, ok } from './finding.js';

/** Checks that connections keep their sessions, or that the pooler which shares sessions is fit for the service. */
export async function checkSessions(server: DatabaseServer): Promise<Finding> {
  try {
    return await examineSessions(server);
  } catch (error) {
    if (error instanceof SharedSessionsError || error instanceof UnfitPoolerError) {
      return failed('sessions', error.message);
    }
    throw error;
  }
}

async function examineSessions(server: DatabaseServer): Promise<Finding> {
  const { pooler } = server.connection;
  if (pooler === undefined) {
    await requireOwnSessions(server.direct);
    return ok('sessions', 'each connection has one of its own, and its limits of time hold');
  }
  await examinePooledSessions(server);
  const sound = 'transactions share them through a pooler, and their limits of time hold';
  if (pooler === 'transaction' && (await keepsPreparedStatements(server.connection))) {
    const better = 'the pooler keeps prepared statements, so DATABASE_POOLER=transaction-prepared';
    return ok('sessions', `${sound}; ${better} takes less processor time`);
  }
  return ok('sessions', sound);
}
