import { randomBytes } from 'node:crypto';

import pg from 'pg';

import type { Connection } from '../../src/database/data-source.options.js';

/** Global set-up hands both over through the environment, the only thing that Jest's workers share. */
const serverUrl = (): string => process.env.TEST_SERVER_URL ?? '';
const template = (): string => process.env.TEST_TEMPLATE ?? '';

/** The same server, another database. */
const urlOf = (database: string): string =>
  Object.assign(new URL(serverUrl()), { pathname: `/${database}` }).href;

export interface TestDatabase {
  readonly url: string;
  readonly connection: Connection;
  /** Rows as any other program would see them. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A database of one's own, migrated unless it is wanted empty: tests run in parallel and clean nothing up. */
export async function aDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const name = `satchel_${randomBytes(6).toString('hex')}`;
  await admin(`CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template0' : template()}`);
  const url = urlOf(name);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  return {
    url,
    connection: { url },
    query: async (sql, values = []) => (await pool.query(sql, values)).rows,
    drop: async () => {
      await pool.end();
      await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
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
