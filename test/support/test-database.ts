import { randomBytes } from 'node:crypto';

import pg from 'pg';

import type { TransactionPooler } from '../../src/platform/config/database-settings.js';
import type { Connection } from '../../src/platform/database/data-source.options.js';
import { SESSION_SETTINGS } from '../../src/platform/database/database-client.js';
import { aPgBouncer, type PgBouncer } from './pgbouncer.js';
import { rememberPooler } from './through-pooler.js';

/** Global set-up hands them over through the environment, the only thing that Jest's workers share. */
const serverUrl = (): string => process.env.TEST_SERVER_URL ?? '';
const template = (): string => process.env.TEST_TEMPLATE ?? '';
const copying = (): string => process.env.TEST_COPYING ?? '';

/** The same server, another database. */
const urlOf = (database: string): string =>
  Object.assign(new URL(serverUrl()), { pathname: `/${database}` }).href;

export interface TestDatabase {
  /** Past any pooler. */
  readonly url: string;
  /** As the service is to use it. */
  readonly connection: Connection;
  /** Rows as any other program would see them. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

interface DatabaseWishes {
  readonly isEmpty?: boolean;
  /** Has the service reach it through a PgBouncer of its own; `npm run suite -- pooler` has all do so. */
  readonly pooler?: TransactionPooler | undefined;
}

/** A database of one's own, migrated unless it is wanted empty: tests run in parallel and clean nothing up. */
export async function aDatabase({
  isEmpty = false,
  pooler = poolerOfRun(),
}: DatabaseWishes = {}): Promise<TestDatabase> {
  const name = `satchel_${randomBytes(6).toString('hex')}`;
  await admin(
    `CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template0' : template()} ${copying()}`,
  );
  if (process.env.TEST_PARTITIONS !== undefined) {
    await tellPlans(name);
  }
  const url = urlOf(name);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  const bouncer = pooler === undefined ? undefined : await pooledBy(url, pooler);
  return {
    url,
    connection: bouncer?.connection ?? { url },
    query: async (sql, values = []) => (await pool.query(sql, values)).rows,
    drop: async () => {
      await pool.end();
      await bouncer?.close();
      await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Has the sessions of the database tell how each statement was run, as notices: `npm run suite -- partitions` reads them. */
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

/** Said by `npm run suite -- pooler`. */
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

/** One at a time: CREATE DATABASE fails while another session copies the same template. */
async function admin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(7270009)');
    await client.query(sql);
  } finally {
    await client.end();
  }
}
