import { DATABASE, type EmbeddedConnection, MAINTENANCE_DATABASE } from './connection.js';
import { Session } from './session.js';

/**
 * The query that finds databases in the cluster that do not belong to Satchel. The command `backup verify` may have
 * left scratch databases, which contain nothing of value.
 */
const FOREIGN_DATABASES = `
  SELECT string_agg(datname, ', ' ORDER BY datname) FROM pg_database
  WHERE NOT datistemplate AND datname NOT IN ('${DATABASE}', '${MAINTENANCE_DATABASE}')
    AND datname NOT LIKE 'satchel\\_verify\\_%'`;

const HAS_DATABASE = `SELECT true FROM pg_database WHERE datname = '${DATABASE}'`;

/**
 * The query that finds tables outside of some schemas. The copy itself checks the tables in the schema `public` of
 * Satchel's database.
 */
const FOREIGN_TABLES = `
  SELECT string_agg(oid::regclass::text, ', ' ORDER BY oid::regclass::text) FROM pg_class
  WHERE relkind IN ('r', 'p', 'm', 'f') AND relpersistence <> 't'
    AND relnamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname = ANY ($1))`;
const SYSTEM_SCHEMAS = ['pg_catalog', 'information_schema', 'pg_toast'];

/** The query that finds large objects, which Satchel does not use. Ten of their numbers are enough for a message. */
const LARGE_OBJECTS = `
  SELECT string_agg(number, ', ') FROM (
    SELECT oid::text AS number FROM pg_largeobject_metadata ORDER BY oid LIMIT 10) AS first`;

/** The total size of all databases in bytes. */
const BYTES = `SELECT sum(pg_database_size(oid))::text FROM pg_database`;

const inDatabase = (connection: EmbeddedConnection, database: string): EmbeddedConnection => ({
  ...connection,
  database,
});

/**
 * Checks that an upgrade copies all data of a cluster. Returns false if the first start was killed before it created
 * the database, so that there is nothing to copy.
 * @throws Error if the cluster contains databases, tables or large objects that do not belong to Satchel
 */
export async function requireOwnContents(connection: EmbeddedConnection): Promise<boolean> {
  const maintenance = inDatabase(connection, MAINTENANCE_DATABASE);
  const hasDatabase = await Session.use(maintenance, async (session) => {
    requireNone('databases', await session.ask(FOREIGN_DATABASES));
    return (await session.ask(HAS_DATABASE)) === true;
  });
  await requireNoData(maintenance, SYSTEM_SCHEMAS);
  if (hasDatabase) {
    await requireNoData(connection, [...SYSTEM_SCHEMAS, 'public']);
  }
  return hasDatabase;
}

async function requireNoData(
  database: EmbeddedConnection,
  exceptIn: readonly string[],
): Promise<void> {
  await Session.use(database, async (session) => {
    requireNone('tables', await session.ask(FOREIGN_TABLES, [exceptIn]));
    requireNone('large objects', await session.ask(LARGE_OBJECTS));
  });
}

function requireNone(kind: string, names: unknown): void {
  if (typeof names === 'string') {
    throw new Error(
      `it contains ${kind} that do not belong to Satchel and would be lost: ${names}. Copy them elsewhere, and remove them with the earlier version of Satchel`,
    );
  }
}

export const databaseBytes = (connection: EmbeddedConnection): Promise<number> =>
  Session.use(inDatabase(connection, MAINTENANCE_DATABASE), async (session) =>
    Number(await session.ask(BYTES)),
  );
