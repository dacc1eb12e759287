import { randomBytes } from 'node:crypto';

import pg from 'pg';

import type { TransactionPooler } from '../../src/platform/config/database-settings.js';
import type { Connection } from '../../src/platform/database/data-source.options.js';
import { SESSION_SETTINGS } from '../../src/platform/database/database-client.js';
import { aPgBouncer, type PgBouncer } from './pgbouncer.js';
import { rememberPooler } from './through-pooler.js';

/** Global setup passes these in the environment, because Jest's workers share nothing else. */
const serverUrl = (): string => process.env.TEST_SERVER_URL ?? '';
const template = (): string => process.env.TEST_TEMPLATE ?? '';
/** The other servers of a Citus cluster. A database of the test server has the same name there. */
const citusServers = (): string[] => process.env.TEST_CITUS_SERVERS?.split(' ') ?? [];
const copying = (): string => process.env.TEST_COPYING ?? '';

/** Returns the URL of another database on the same server. */
const urlOf = (database: string): string =>
  Object.assign(new URL(serverUrl()), { pathname: `/${database}` }).href;

/** The number of sessions in the database that wait for a lock. */
const LOCK_WAITS = `SELECT count(*) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
/** Adds the sessions on the other servers of a Citus cluster, where rows of lists are locked. */
const LOCK_WAITS_ON_CITUS = `SELECT (${LOCK_WAITS}) + coalesce(sum(result::bigint), 0) AS count
  FROM run_command_on_workers($$${LOCK_WAITS}$$)`;

export interface TestDatabase {
  /** Bypasses any pooler. */
  readonly url: string;
  /** The connection for the service. */
  readonly connection: Connection;
  /** Runs a query on a separate connection, as another program would. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Returns the number of sessions that wait for a lock, on all servers of the database. */
  lockWaits(): Promise<number>;
  drop(): Promise<void>;
}

/** A database that a test only reads and changes. */
export type QueriedDatabase = Pick<TestDatabase, 'query'>;

interface DatabaseWishes {
  readonly isEmpty?: boolean;
  /** Routes the service through its own PgBouncer. `npm run suite -- pooler` does this for all databases. */
  readonly pooler?: TransactionPooler | undefined;
}

/**
 * Creates a database, migrated unless `isEmpty`. Each test file has its own, since files run in parallel without
 * cleaning up.
 */
export async function aDatabase({
  isEmpty = false,
  pooler = poolerOfRun(),
}: DatabaseWishes = {}): Promise<TestDatabase> {
  const name = `satchel_${randomBytes(6).toString('hex')}`;
  const servers = [serverUrl(), ...(isEmpty ? [] : citusServers())];
  const creation = `CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template0' : template()} ${copying()}`;
  await Promise.all(servers.map((server) => admin(creation, server)));
  await Promise.all(servers.slice(1).map((server) => limitSessions(name, server)));
  if (process.env.TEST_PARTITIONS !== undefined) {
    await tellPlans(name);
  }
  const url = urlOf(name);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  const bouncer = pooler === undefined ? undefined : await pooledBy(url, pooler);
  const lockWaits = servers.length > 1 ? LOCK_WAITS_ON_CITUS : LOCK_WAITS;
  return {
    url,
    connection: bouncer?.connection ?? { url },
    query: async (sql, values = []) => (await pool.query(sql, values)).rows,
    lockWaits: async () => Number((await pool.query<{ count: string }>(lockWaits)).rows[0]?.count),
    drop: async () => {
      await pool.end();
      await bouncer?.close();
      await Promise.all(
        servers.map((server) => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, server)),
      );
    },
  };
}

/**
 * Makes the database's sessions send the plan of each statement as a notice. `npm run suite -- partitions` reads them.
 */
async function tellPlans(database: string): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  };
  for (const [name, value] of Object.entries(settings)) {
    await admin(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
  }
}

/** A copy of a database has no defaults of roles. `migrate --distributed` stores these for the service. */
async function limitSessions(database: string, server: string): Promise<void> {
  for (const name of ['lock_timeout', 'idle_in_transaction_session_timeout'] as const) {
    const setting = `${name} = '${SESSION_SETTINGS[name]}'`;
    await admin(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${setting}`, server);
  }
}

/** Set by `npm run suite -- pooler`. */
function poolerOfRun(): TransactionPooler | undefined {
  const pooler = process.env.TEST_POOLER;
  return pooler === 'transaction' || pooler === 'transaction-prepared' ? pooler : undefined;
}

async function pooledBy(url: string, pooler: TransactionPooler): Promise<PgBouncer> {
  const database = new URL(url).pathname.slice(1);
  for (const [name, value] of Object.entries(SESSION_SETTINGS)) {
    await admin(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = '${value}'`);
  }
  const bouncer = await aPgBouncer(url, { prepared: pooler === 'transaction' ? 0 : 200 });
  rememberPooler(url, { url: bouncer.url, pooler });
  return bouncer;
}

/** Locks, because CREATE DATABASE fails while another session copies the same template. */
async function admin(sql: string, server = serverUrl()): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(7270009)');
    await client.query(sql);
  } finally {
    await client.end();
  }
}
