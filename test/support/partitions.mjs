// Partitions the personal tables of a migrated database by user, similar to a distributed engine. A statement without
// its user's id reads all partitions of a table.
import pg from 'pg';

import { DETACH_LISTS } from '../../dist/src/platform/database/distribution.js';
import { OVER_ALL_USERS } from '../../dist/src/platform/database/query-rows.js';
import { SHARD_COLUMN, tablesAt } from '../../dist/src/platform/database/table-places.js';

const TABLE = `
  SELECT relpersistence = 'u' AS "isUnlogged", array_to_string(reloptions, ', ') AS options,
    ARRAY(SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', relname, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE conrelid = class.oid AND contype IN ('p', 'u') ORDER BY contype, conname) AS keys,
    ARRAY(SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', relname, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE conrelid = class.oid AND contype = 'f' ORDER BY conname) AS references,
    ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index
      WHERE indrelid = class.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)) AS indexes
  FROM pg_class class WHERE oid = $1::regclass`;

const REFERRING = `
  SELECT conrelid::regclass::text || '.' || conname AS name FROM pg_constraint
  WHERE contype = 'f' AND confrelid = ANY ($1::regclass[]) AND NOT conrelid = ANY ($1::regclass[])`;

/**
 * Plans of writes only name the table, not the partitions of their rows. The warning is for the watch of a test file,
 * since background errors are only logged. The error is for processes that no test watches.
 */
const REFUSAL = `
  CREATE FUNCTION refuse_rows_of_several_users() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_setting('application_name') = 'satchel'
          AND strpos(current_query(), '${OVER_ALL_USERS}') = 0
          AND (SELECT count(DISTINCT ${SHARD_COLUMN}) FROM came) > 1 THEN
        RAISE WARNING 'writes rows of several users to %: %', TG_TABLE_NAME, current_query();
        RAISE EXCEPTION 'writes rows of several users to %', TG_TABLE_NAME;
      END IF;
      RETURN NULL;
    END $$`;

const refuse = (table, event) => `
  CREATE TRIGGER refuse_several_users_on_${event} AFTER ${event} ON ${table}
    REFERENCING NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION refuse_rows_of_several_users()`;

export async function partitionPersonalTables(url, partitions) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(DETACH_LISTS);
    const tables = tablesAt('personal');
    const { rows: referring } = await client.query(REFERRING, [tables]);
    if (referring.length > 0) {
      throw new Error(`refers to personal tables: ${referring.map(({ name }) => name).join(', ')}`);
    }
    const parts = [];
    for (const table of tables) {
      parts.push({ table, ...(await client.query(TABLE, [table])).rows[0] });
    }
    for (const part of parts) {
      await partition(client, part, partitions);
    }
    for (const statement of parts.flatMap(({ references }) => references)) {
      await client.query(statement);
    }
    await client.query(REFUSAL);
    for (const table of tables) {
      await client.query(refuse(table, 'INSERT'));
      await client.query(refuse(table, 'UPDATE'));
    }
  } finally {
    await client.end();
  }
}

async function partition(client, { table, isUnlogged, options, keys, indexes }, partitions) {
  const storage = options === '' || options === null ? '' : ` WITH (${options})`;
  await client.query(`CREATE TABLE spread
    (LIKE ${table} INCLUDING ALL EXCLUDING INDEXES) PARTITION BY HASH (${SHARD_COLUMN})`);
  await client.query(`DROP TABLE ${table} CASCADE`);
  await client.query(`ALTER TABLE spread RENAME TO ${table}`);
  for (let at = 0; at < partitions; at += 1) {
    await client.query(`CREATE ${isUnlogged ? 'UNLOGGED ' : ''}TABLE ${table}_of_${at} PARTITION OF ${table}
      FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${at})${storage}`);
  }
  for (const statement of [...keys, ...indexes]) {
    await client.query(statement);
  }
}
