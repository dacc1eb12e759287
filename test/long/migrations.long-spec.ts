import { DataSource } from 'typeorm';

import { unlimitedDataSourceOptions } from '../../src/platform/database/data-source.options.js';
import {
  migrationStatus,
  revertMigration,
  runMigrations,
} from '../../src/platform/database/migrator.js';
import { until } from '../support/processes.js';
import { SCHEMA } from '../support/schema-parts.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

const MIGRATION_LOCK = 7_270_001;
const WAITING = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${MIGRATION_LOCK} AND NOT granted`;

let database: TestDatabase;

beforeAll(async () => {
  database = await aDatabase({ isEmpty: true });
});
beforeEach(() => database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));
afterAll(() => database.drop());

const schema = async (): Promise<string[]> => {
  const rows = await database.query<Record<'kind' | 'name' | 'detail', string>>(SCHEMA);
  return rows
    .map(({ kind, name, detail }) => `${kind} ${name} ${detail}`)
    .filter((line) => !/ _?migrations\b| migrations_(id_seq|pkey) /.test(line));
};

/** Repeats work one after another. Returns all results. */
async function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  return count === 0 ? [] : [await work(), ...(await times(count - 1, work))];
}

const run = () => runMigrations(database.connection);
const revert = () => revertMigration(database.connection);
const status = () => migrationStatus(database.connection);

describe('the migrations', () => {
  it('create the schema that the template of the tests has', async () => {
    const template = await aDatabase();

    await run();

    const expected = await template.query(SCHEMA);
    expect(await database.query(SCHEMA)).toEqual(expected);
    await template.drop();
  });

  it('leave nothing behind when they are reverted', async () => {
    const empty = await schema();
    const names = await run();

    await times(names.length, revert);

    expect(await schema()).toEqual(empty);
  });

  it('can each be reverted and run again', async () => {
    const names = await run();
    const takeBack = async (): Promise<string[]> => {
      const before = await schema();
      await revert();
      return before;
    };
    const states = await times(names.length, takeBack);

    await run();

    expect(states[0]).not.toEqual(states[1]);
    expect(await times(names.length, takeBack)).toEqual(states);
  });

  it('name every constraint as PostgreSQL does by default', async () => {
    await run();

    const rows = await database.query<{ conname: string; conrelid: string; contype: string }>(
      `SELECT conname, conrelid::regclass::text AS conrelid, contype FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid <> 'migrations'::regclass`,
    );
    const suffix: Record<string, string> = { p: 'pkey', u: 'key', f: 'fkey', c: 'check' };
    expect(rows.length).toBeGreaterThan(5);
    expect(
      rows.filter(
        ({ conname, conrelid, contype }) =>
          !conname.startsWith(`${conrelid}_`) || !conname.endsWith(`_${suffix[contype] ?? '?'}`),
      ),
    ).toEqual([]);
  });

  it('need no extension', async () => {
    await run();

    const extensions = await database.query('SELECT extname FROM pg_extension');
    expect(extensions).toEqual([{ extname: 'plpgsql' }]);
  });
});

describe('an unfinished tag move', () => {
  it('prevents the revert of the migration that created its table', async () => {
    await run();
    await database.query(`
      INSERT INTO users (id, name, email, password_hash) OVERRIDING SYSTEM VALUE VALUES (1, '', 'a@example.com', '');
      INSERT INTO lists (user_id) VALUES (1);
      INSERT INTO tag_moves (user_id, source_id, source) VALUES (1, 1, 'old')`);
    const takeAllBack = async (): Promise<void> => {
      await revert();
      await takeAllBack();
    };

    await expect(takeAllBack()).rejects.toThrow('tags are still being renamed or deleted');

    expect((await status()).executed.at(-1)).toBe('CreateTagMoves1765601900000');
    expect(await database.query('SELECT source FROM tag_moves')).toEqual([{ source: 'old' }]);
  });
});

describe('the migration to an order of addition', () => {
  const ORDER = 'KeepOrderOfAddition1765300100000';
  const ids = async (by: string): Promise<string> => {
    const rows = await database.query<{ item_id: string }>(
      `SELECT item_id FROM items ORDER BY ${by}, item_id`,
    );
    return rows.map(({ item_id }) => item_id).join(' ');
  };
  const back = async (): Promise<void> => {
    while ((await status()).executed.includes(ORDER)) {
      await revert();
    }
  };
  const added = (id: number, time: number, more = ['', '']): string => `
    INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, title_key, url_key, search_text${more[0]})
    VALUES (1, ${id}, 1, ${time}, 1, '', '', '', ''${more[1]})`;
  const copied = (column: string): string => `
    INSERT INTO item_tags (user_id, tag_id, ${column}, item_id) SELECT user_id, 7, ${column}, item_id FROM items;
    INSERT INTO item_search (user_id, item_id, ${column}, title_key, url_key, search_text)
    SELECT user_id, item_id, ${column}, '', '', '' FROM items`;
  const copies = (column: string): Promise<object[]> =>
    database.query(
      `SELECT item_id FROM items JOIN item_tags USING (user_id, item_id, ${column})
       JOIN item_search USING (user_id, item_id, ${column})`,
    );

  beforeEach(async () => {
    await run();
    await back();
    await database.query(`
      INSERT INTO users (id, name, email, password_hash) OVERRIDING SYSTEM VALUE VALUES (1, '', 'a@example.com', '');
      INSERT INTO lists (user_id) VALUES (1)`);
    await database.query([added(3, 10), added(1, 10), added(2, 9)].join(';'));
  });

  it('keeps the order of items, and restores times when it is reverted', async () => {
    await database.query(copied('time_added'));
    await run();
    const then = await ids('added_order');
    const before = await copies('added_order');
    await database.query('TRUNCATE item_tags, item_search');
    await database.query(added(4, 10, [', added_sequence, number', `, ${2 ** 29 - 1}, -1`]));
    await database.query(added(5, 11, [', added_sequence, number', `, ${1 - 2 ** 29}, -2`]));
    const since = await ids('added_order');
    await database.query(copied('added_order'));

    await back();

    expect([then, since]).toEqual(['2 1 3', '2 1 3 4 5']);
    expect(before).toHaveLength(3);
    expect(await copies('time_added')).toHaveLength(5);
  });

  it('creates statistics for a rewritten table, but not for an empty one', async () => {
    await run();

    const tables = await database.query(
      `SELECT relname, reltuples FROM pg_class WHERE relname IN ('items', 'item_search') ORDER BY 1 DESC`,
    );
    expect(tables).toEqual([
      { relname: 'items', reltuples: 3 },
      { relname: 'item_search', reltuples: -1 },
    ]);
  });
});

describe('runMigrations', () => {
  it('returns the migrations that it has run, and none the second time', async () => {
    const first = await run();

    expect(first[0]).toBe('CreateAccounts1763700000000');
    expect(await run()).toEqual([]);
  });

  it('runs each migration once if four instances start together', async () => {
    const done = await Promise.all([run(), run(), run(), run()]);

    const [{ executed }, recorded] = await Promise.all([
      status(),
      database.query<{ name: string }>('SELECT name FROM migrations ORDER BY id'),
    ]);
    expect(done.flat()).toEqual(executed);
    expect(recorded.map(({ name }) => name)).toEqual(executed);
  });

  it('waits for an instance that migrates, and takes over when that instance is killed', async () => {
    const other = await new DataSource(
      unlimitedDataSourceOptions(database.connection, 1),
    ).initialize();
    await other.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const waiting = run();
    await until(async () => (await database.query(WAITING)).length === 1);

    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
       WHERE locktype = 'advisory' AND objid = ${MIGRATION_LOCK} AND granted`,
    );

    expect(await waiting).toHaveLength((await status()).executed.length);
    await other.destroy();
  });

  it('keeps the migrations before one that fails, and continues from there', async () => {
    await database.query('CREATE TABLE consumer_keys ()');
    await expect(run()).rejects.toThrow('consumer_keys');
    const { executed, pending } = await status();

    await database.query('DROP TABLE consumer_keys');

    expect(await run()).toEqual(pending);
    expect((await status()).executed).toEqual([...executed, ...pending]);
  });

  it('releases the lock after a failure', async () => {
    await database.query('CREATE TABLE users ()');

    await expect(run()).rejects.toThrow('users');

    const locks = await database.query(
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${MIGRATION_LOCK}
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(locks).toEqual([]);
  });

  it.each([
    ['a server that is not there', 'postgres://127.0.0.1:1/satchel', /ECONNREFUSED/],
    ['a host that is not there', 'postgres://nowhere.invalid/satchel', /nowhere\.invalid/],
  ])('reports that it cannot reach %s', async (_, url, reason) => {
    await expect(runMigrations({ url })).rejects.toThrow(/^the database cannot be reached: /);
    await expect(runMigrations({ url })).rejects.toThrow(reason);
  });
});

describe('migrationStatus', () => {
  it('returns the executed and the pending migrations', async () => {
    const before = await status();
    const names = await run();
    const after = await status();
    await revert();

    expect(before).toEqual({ executed: [], pending: names });
    expect(after).toEqual({ executed: names, pending: [] });
    expect(await status()).toEqual({ executed: names.slice(0, -1), pending: names.slice(-1) });
  });

  it('changes nothing', async () => {
    await status();

    expect(
      await database.query("SELECT relname FROM pg_class WHERE relname = 'migrations'"),
    ).toEqual([]);
  });
});

describe('revertMigration', () => {
  it('succeeds in an empty database', async () => {
    await expect(revert()).resolves.toBeUndefined();
  });
});
