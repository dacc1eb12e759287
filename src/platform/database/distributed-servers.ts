import pg from 'pg';
import type { DataSource } from 'typeorm';

import { SESSION_SETTINGS } from './database-client.js';

/** A server with shards, as `doctor` reports it. */
export interface ShardServer {
  /** The host and the port. */
  readonly name: string;
  /** The reason why the server cannot be used. Undefined if it answers. */
  readonly failure: string | undefined;
  /** True if sessions of the service on this server have its time limits. */
  readonly hasLimits: boolean;
}

/**
 * The time limits that sessions on the servers with shards need. Citus opens these sessions, so the service cannot set
 * their limits itself. `statement_timeout` is not one of them: it would end migrations, and on the coordinator it also
 * ends the statements on other servers.
 */
const LIMITS = [
  ['lock_timeout', SESSION_SETTINGS.lock_timeout],
  ['idle_in_transaction_session_timeout', SESSION_SETTINGS.idle_in_transaction_session_timeout],
] as const;

const EXPECTED = LIMITS.map(([, value]) => value).join(' ');

const COMMAND = `SELECT concat_ws(' ', ${LIMITS.map(([name]) => `current_setting('${name}')`).join(', ')})`;

const ASK = `
  SELECT format('%s:%s', nodename, nodeport) AS name, success, result FROM run_command_on_workers($1) ORDER BY 1`;

/** Asks each server with shards for the time limits of a new session. */
export async function askShardServers(dataSource: DataSource): Promise<ShardServer[]> {
  const answers = await dataSource.query<{ name: string; success: boolean; result: string }[]>(
    ASK,
    [COMMAND],
  );
  return answers.map(({ name, success, result }) => ({
    name,
    failure: success ? undefined : result,
    hasLimits: success && result === EXPECTED,
  }));
}

/**
 * Returns the statements that store the time limits as defaults of the database role. Citus runs such statements on all
 * servers.
 */
export async function limitStatements(dataSource: DataSource): Promise<string[]> {
  const [{ role, database }] = await dataSource.query<[{ role: string; database: string }]>(
    'SELECT current_user::text AS role, current_database()::text AS database',
  );
  const target = `${pg.escapeIdentifier(role)} IN DATABASE ${pg.escapeIdentifier(database)}`;
  return LIMITS.map(([name, value]) => `ALTER ROLE ${target} SET ${name} = '${value}'`);
}
