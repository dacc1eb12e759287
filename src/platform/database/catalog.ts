import pg from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';

/**
 * A table of the schema, without its generated columns. COPY cannot write generated columns, because PostgreSQL
 * computes their values.
 */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * The table in which TypeORM records migrations. A backup omits this table, because the manifest lists the migrations.
 */
const MIGRATIONS = 'migrations';

/**
 * The SQL that sets the text format of times and numbers that COPY writes. Without these settings, the format would
 * depend on the configuration of the database server.
 */
export const PLAIN_TEXTS = `SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL extra_float_digits = 3`;

const TABLES = `
  SELECT relname::text AS name, array_agg(attname::text ORDER BY attnum) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    AND relname <> '${MIGRATIONS}'
    AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  GROUP BY relname ORDER BY relname`;

const REFERENCES = `
  SELECT DISTINCT referring.relname::text AS from, referred.relname::text AS to
  FROM pg_constraint
    JOIN pg_class AS referring ON referring.oid = conrelid JOIN pg_class AS referred ON referred.oid = confrelid
  WHERE contype = 'f' AND conrelid <> confrelid AND referring.relnamespace = current_schema()::regnamespace
    AND NOT referring.relispartition AND NOT referred.relispartition`;

const IDENTITIES = `
  SELECT relname::text AS table, attname::text AS column,
    pg_get_serial_sequence(quote_ident(relname), attname) AS sequence
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attidentity <> ''
  ORDER BY relname, attname`;

interface Reference {
  readonly from: string;
  readonly to: string;
}

interface Identity {
  readonly table: string;
  readonly column: string;
  /** The name of the sequence that generates the values of the identity column, quoted for use in SQL. */
  readonly sequence: string;
}

/** Returns the tables of the database. A table with a foreign key comes after the table that it refers to. */
export async function findTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(TABLES);
  const { rows: references } = await client.query<Reference>(REFERENCES);
  return inOrder(tables, references);
}

function inOrder(tables: readonly Table[], references: readonly Reference[]): Table[] {
  const ordered: Table[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const waits = ({ name }: Table): boolean =>
      references.some(({ from, to }) => from === name && names.has(to));
    const ready = left.filter((table) => !waits(table));
    if (ready.length === 0) {
      throw new Error(`tables refer to each other in a circle: ${[...names].join(', ')}`);
    }
    ordered.push(...ready);
    left = left.filter(waits);
  }
  return ordered;
}

/**
 * Returns the names of the migrations that the database has run, oldest first. Returns an empty array if the database
 * has no schema.
 */
export async function findMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query(
    `SELECT 1 AS found WHERE to_regclass('${MIGRATIONS}') IS NOT NULL`,
  );
  if (found.length === 0) {
    return [];
  }
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${MIGRATIONS} ORDER BY timestamp, id`,
  );
  return rows.map(({ name }) => name);
}

export async function findIdentities(client: pg.ClientBase): Promise<Identity[]> {
  return (await client.query<Identity>(IDENTITIES)).rows;
}

/** An identity column of a table, and the last value that its sequence has generated. */
interface SequenceState {
  readonly table: string;
  readonly column: string;
  readonly last: string;
}

export async function readSequences(client: pg.ClientBase): Promise<SequenceState[]> {
  const sequences: SequenceState[] = [];
  for (const { table, column, sequence } of await findIdentities(client)) {
    const { rows } = await client.query<{ last: string }>(
      `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END::text AS last FROM ${sequence}`,
    );
    sequences.push({ table, column, last: rows[0]?.last ?? '0' });
  }
  return sequences;
}

/**
 * Returns the `pg` connection that runs the transaction of a TypeORM manager. Code that uses COPY needs this
 * connection, because TypeORM does not support COPY.
 */
export async function ownSession(manager: EntityManager): Promise<pg.Client> {
  const session: unknown = await ownRunner(manager).connect();
  if (session instanceof pg.Client) {
    return session;
  }
  throw new Error('A session is a connection of pg.');
}

export function ownRunner({ queryRunner }: EntityManager): QueryRunner {
  if (queryRunner === undefined) {
    throw new Error('A transaction belongs to one connection.');
  }
  return queryRunner;
}
