import type { TestDatabase } from './test-database.js';

/** The number of rows of each table that name a user. */
export type RowsByTable = Readonly<Record<string, number>>;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** True if a check allows only some values. */
  readonly isChecked: boolean;
}

/** A foreign key: the columns of a table, and the columns of the table that they refer to. */
interface Reference {
  readonly table: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targets: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

/** Columns that hold the id of a user. */
const USER_COLUMNS: ReadonlySet<string> = new Set([
  'user_id',
  'owner_id',
  'actor_id',
  'created_by',
]);
/** Optional columns that a check requires together with the id of a user. */
const WITH_USER: ReadonlySet<string> = new Set(['item_id']);

/** Values of columns with a check. */
const ALLOWED: Readonly<Record<string, string>> = {
  'audit_entries.actor': 'user',
  'authorization_requests.decision': 'authorized',
  'e_reader_settings.minute_of_day': '0',
  'e_reader_settings.most_articles': '1',
  'imports.state': 'done',
  'list_digests.minute_of_day': '0',
  'list_digests.most_items': '1',
  'list_digests.target': 'email',
  'one_time_links.purpose': 'invitation',
};

const COLUMNS = `
  SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type,
    a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AS "isRequired",
    EXISTS (SELECT FROM pg_constraint
      WHERE conrelid = c.oid AND contype = 'c' AND a.attnum = ANY (conkey)) AS "isChecked"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attgenerated = ''
  ORDER BY c.relname, a.attnum`;

const REFERENCES = `
  SELECT conrelid::regclass::text AS table, confrelid::regclass::text AS target,
    (SELECT json_agg(attname ORDER BY place) FROM unnest(conkey) WITH ORDINALITY k (at, place)
      JOIN pg_attribute ON attrelid = conrelid AND attnum = at) AS columns,
    (SELECT json_agg(attname ORDER BY place) FROM unnest(confkey) WITH ORDINALITY k (at, place)
      JOIN pg_attribute ON attrelid = confrelid AND attnum = at) AS targets
  FROM pg_constraint WHERE contype = 'f'`;

/** Fills every table that can hold rows of a user with rows of some users, whatever tables the schema has. */
export class FilledTables {
  private constructor(
    private readonly database: TestDatabase,
    private readonly columns: readonly Column[],
    private readonly references: readonly Reference[],
  ) {}

  static async of(database: TestDatabase): Promise<FilledTables> {
    return new FilledTables(
      database,
      await database.query<Column>(COLUMNS),
      await database.query<Reference>(REFERENCES),
    );
  }

  /**
   * Stores one row in each of the tables, and in the tables that they refer to. The texts of the user's own rows
   * contain the email address. Returns the rows by table.
   */
  async fill(userId: string): Promise<ReadonlyMap<string, Row>> {
    const [user] = await this.database.query<Row>('SELECT * FROM users WHERE id = $1', [userId]);
    const rows = new Map<string, Row>([['users', user!]]);
    const waiting = new Set(this.tables().flatMap((table) => [table, ...this.targetsOf(table)]));
    waiting.delete('users');
    while (waiting.size > 0) {
      const ready = [...waiting].filter((table) =>
        this.targetsOf(table).every((target) => rows.has(target)),
      );
      if (ready.length === 0) {
        throw new Error(`Tables refer to each other: ${[...waiting].join(', ')}`);
      }
      for (const table of ready) {
        rows.set(table, await this.store(table, userId, rows));
        waiting.delete(table);
      }
    }
    return rows;
  }

  /** Counts the rows that have the id of the user in one of their columns, or that refer to such a row. */
  async naming(userId: string, rows: ReadonlyMap<string, Row>): Promise<RowsByTable> {
    const counts: Record<string, number> = {};
    for (const table of this.tables()) {
      const owned = this.columnsOf(table).filter(({ name }) => USER_COLUMNS.has(name));
      const tests =
        owned.length > 0
          ? owned.map(({ name }) => `${name} = ${userId}`)
          : this.referencesOf(table).map(({ columns, target, targets }) =>
              columns
                .map((one, at) => `${one} = ${String(rows.get(target)?.[targets[at]!])}`)
                .join(' AND '),
            );
      const found = await this.database.query(`SELECT FROM ${table} WHERE ${tests.join(' OR ')}`);
      if (found.length > 0) {
        counts[table] = found.length;
      }
    }
    return counts;
  }

  /** The tables with a column for the id of a user, and the tables that refer to them. */
  private tables(): readonly string[] {
    const isOfUser = (table: string): boolean =>
      this.columnsOf(table).some(({ name }) => USER_COLUMNS.has(name)) ||
      this.targetsOf(table).some(isOfUser);
    const all = [...new Set(this.columns.map(({ table }) => table))];
    return all.filter((table) => table !== 'users' && isOfUser(table));
  }

  private columnsOf(table: string): readonly Column[] {
    return this.columns.filter((one) => one.table === table);
  }

  private referencesOf(table: string): readonly Reference[] {
    return this.references.filter((one) => one.table === table);
  }

  private targetsOf(table: string): readonly string[] {
    return this.referencesOf(table).flatMap(({ target }) => (target === table ? [] : target));
  }

  private async store(table: string, userId: string, rows: ReadonlyMap<string, Row>): Promise<Row> {
    const referred = new Map(
      this.referencesOf(table).flatMap(({ columns, target, targets }) =>
        columns.map((column, at) => [column, rows.get(target)?.[targets[at]!]] as const),
      ),
    );
    const isOfUser = this.tables().includes(table);
    const chosen = this.columnsOf(table).filter(
      ({ name, type, isRequired, isChecked }) =>
        isRequired ||
        referred.has(name) ||
        USER_COLUMNS.has(name) ||
        WITH_USER.has(name) ||
        (isOfUser && FREE_TEXT.has(type) && !isChecked),
    );
    const text = isOfUser ? String(rows.get('users')?.['email']) : 'text';
    const values = chosen.map(
      (column) => referred.get(column.name) ?? valueOf(column, { userId, text }),
    );
    const names = chosen.map(({ name }) => name).join(', ');
    const places = chosen.map(({ type }, at) => `$${at + 1}::${type}`).join(', ');
    const [row] = await this.database.query<Row>(
      `INSERT INTO ${table} (${names}) VALUES (${places}) RETURNING *`,
      values,
    );
    return row!;
  }
}

/** The types of columns that can contain an email address. */
const FREE_TEXT: ReadonlySet<string> = new Set(['text', 'json', 'jsonb']);

interface Filling {
  readonly userId: string;
  readonly text: string;
}

const BY_TYPE: Readonly<Record<string, (filling: Filling) => string>> = {
  bigint: ({ userId }) => userId,
  integer: () => '1',
  smallint: () => '1',
  real: () => '0.5',
  boolean: () => 'true',
  bytea: ({ userId }) => String.raw`\x${userId.padStart(64, '0')}`,
  uuid: ({ userId }) => `00000000-0000-4000-8000-${userId.padStart(12, '0')}`,
  json: ({ text }) => JSON.stringify({ text }),
  jsonb: ({ text }) => JSON.stringify({ text }),
  tsvector: () => 'word',
  'timestamp with time zone': () => '2026-01-01T00:00:00Z',
};

function valueOf({ table, name, type }: Column, filling: Filling): string {
  const allowed = ALLOWED[`${table}.${name}`];
  if (allowed !== undefined) {
    return allowed;
  }
  const byType = type.endsWith('[]') ? () => '{}' : BY_TYPE[type];
  return byType?.(filling) ?? `${name}-${filling.userId} ${filling.text}`;
}
