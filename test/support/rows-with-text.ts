import { createHash } from 'node:crypto';

import type { QueriedDatabase } from './test-database.js';

interface TextColumns {
  readonly table: string;
  readonly columns: string;
}

/** The texts by which a person finds rows about a user. */
interface Identity {
  /** An id that is in no other text of the database. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

const TEXT_COLUMNS = `
  SELECT c.relname AS table, string_agg(quote_ident(a.attname) || '::text', ', ') AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
    AND format_type(a.atttypid, NULL) ~ '^(text|character varying|json|jsonb|tsvector)'
  GROUP BY c.relname ORDER BY c.relname`;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Returns the rows that contain the id, the email address or the name of a user, or a hash of them, in a text. */
export async function rowsWithText(
  database: QueriedDatabase,
  { id, email, name }: Identity,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const texts = [id, email, name, hashOf(id), hashOf(email)].map((text) => text.toLowerCase());
  const found: Record<string, readonly string[]> = {};
  for (const { table, columns } of await database.query<TextColumns>(TEXT_COLUMNS)) {
    const rows = await database.query<{ row: string }>(
      `SELECT row FROM (SELECT concat_ws(' ', ${columns}) AS row FROM ${table}) texts
        WHERE EXISTS (SELECT FROM unnest($1::text[]) text WHERE strpos(lower(row), text) > 0)`,
      [texts],
    );
    if (rows.length > 0) {
      found[table] = rows.map(({ row }) => row);
    }
  }
  return found;
}
