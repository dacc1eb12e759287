import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { zipped } from '../../src/lib/util/zipped.js';
import { migrationStatus, runMigrations } from '../../src/platform/database/migrator.js';
import type { Manifest } from '../../src/transfer/backup/backup-file.js';
import { createBackup } from '../../src/transfer/backup/create-backup.js';
import { restoreBackup } from '../../src/transfer/backup/restore-backup.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { AccountApi } from '../support/account-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';
import { unzipped } from '../support/unzipped.js';

const HOSTILE = 'tab\tline\nback\\slash \\N \\. "quote" 🧺';
const GAP = 100_000;

let app: TestApp;
let api: ReadingListApi;
let writers: ReadingListApi[];
let directory: string;
let target: TestDatabase;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  writers = await Promise.all([1, 2, 3].map(() => ReadingListApi.of(app)));
  await api.results(
    { action: 'add', url: 'https://example.com/a', title: HOSTILE, tags: 'x,y' },
    { action: 'add', url: 'https://example.com/b' },
    { action: 'archive', url: 'https://example.com/b' },
  );
});
afterAll(() => app.close());
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-test-'));
  target = await aDatabase({ isEmpty: true });
});
afterEach(async () => {
  rmSync(directory, { recursive: true });
  await target.drop();
});

const pathOf = (name: string): string => join(directory, name);

async function backedUp(database = app.database, name = 'backup'): Promise<Manifest> {
  const file = await open(pathOf(name), 'w');
  try {
    return await createBackup(database.connection, file, new Date());
  } finally {
    await file.close();
  }
}
const restored = (name = 'backup', force = false): Promise<Manifest> =>
  restoreBackup(target.connection, pathOf(name), { force });

/** Writes the same backup with a modified file. */
async function rewritten(change: (files: Record<string, string>) => void): Promise<void> {
  const files = await unzipped(readFileSync(pathOf('backup')));
  change(files);
  async function* entries() {
    await Promise.resolve();
    for (const [path, text] of Object.entries(files)) {
      yield { path, content: pieces(text) };
    }
  }
  const chunks: Buffer[] = [];
  for await (const chunk of zipped(entries())) {
    chunks.push(chunk);
  }
  writeFileSync(pathOf('backup'), Buffer.concat(chunks));
}
async function* pieces(text: string): AsyncGenerator<string> {
  await Promise.resolve();
  yield text;
}
/** A restore starts an era. It raises the versions of lists and drops page cursors. */
const isKept = ({ name }: { name: string }): boolean =>
  !['sync_eras', 'lists', 'page_cursors'].includes(name);

const changeManifest = (change: (manifest: Record<string, unknown>) => void) =>
  rewritten((files) => {
    const manifest = JSON.parse(files['manifest.json']!) as Record<string, unknown>;
    change(manifest);
    files['manifest.json'] = JSON.stringify(manifest);
  });

const tablesIn = async (): Promise<number> =>
  (await target.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).length;

describe('a backup', () => {
  it('restores all data, and the service runs on the restored database', async () => {
    const [{ user: protectedUser } = api] = writers;
    await app.database.query(
      `WITH factor AS (INSERT INTO second_factors (user_id, secret, last_used_step) VALUES ($1, 'v1', 1) RETURNING user_id)
       INSERT INTO recovery_codes SELECT user_id, '\\x00ff' FROM factor`,
      [protectedUser.id],
    );
    const ranges = [{ start: '/p[1]', startOffset: 0, end: '/p[1]', endOffset: 4 }];
    await api.sent({
      ...{ action: 'add_annotation', url: 'https://example.com/a' },
      annotation: { annotation_id: 'n1', quote: 'q', patch: 'p', version: '2' },
    });
    await app.database.query('UPDATE annotations SET ranges = $1', [JSON.stringify(ranges)]);
    await app.database.query(
      `WITH saved AS (INSERT INTO saved_lists (user_id, name, name_key, conditions, place)
         VALUES ($1, 'Rivers', 'rivers', '{"tag": "rivers"}', 1) RETURNING user_id, id)
       INSERT INTO public_lists (user_id, list_id, address) SELECT user_id, id, 'r' FROM saved`,
      [api.user.id],
    );
    const before = await api.found({ state: 'all', detailType: 'complete', tags: 1 });
    const made = await backedUp();

    await restored();

    const lists = `SELECT name, conditions->>'tag' AS tag, address FROM saved_lists JOIN public_lists ON list_id = id`;
    expect(await target.query(lists)).toEqual([{ name: 'Rivers', tag: 'rivers', address: 'r' }]);

    expect(await target.query('SELECT ranges FROM annotations')).toEqual([{ ranges }]);
    const again = await backedUp(target, 'again');
    expect(again.tables.filter(isKept)).toEqual(made.tables.filter(isKept));
    expect(made.tables.find(({ name }) => name === 'items')?.rows).toBe(2);
    const second = await aTestApp({ beside: { ...app, database: target } });
    const there = api.at(second);
    expect(await there.found({ state: 'all', detailType: 'complete', tags: 1 })).toEqual({
      ...before,
      since: expect.any(Number),
    });
    await new AccountApi(second).login(api.user).expect(200);
    await new AccountApi(second).loginWith({ Cookie: api.user.cookie }).expect(200);
    const refusal = await new AccountApi(second).login(protectedUser).expect(401);
    expect(refusal.body.code).toBe('otp_required');
    await there.saved('https://example.com/c');
    const { id } = await new AccountApi(second).registered();
    expect(Number(id)).toBeGreaterThan(Number(api.user.id) + GAP - 1);
    await second.close();
  });

  it('is a consistent snapshot while users change their lists', async () => {
    let isDone = false;
    const writing = writers.map(async (own, writer) => {
      for (let n = 0; !isDone; n += 1) {
        await own.sent(
          { action: 'add', url: `https://example.com/${writer}/${n}`, tags: `t${n % 5}` },
          {
            action: n % 3 === 0 ? 'delete' : 'archive',
            url: `https://example.com/${writer}/${n - 1}`,
          },
        );
      }
    });
    for (const name of ['first', 'second', 'third']) {
      await backedUp(app.database, name);
    }
    isDone = true;
    await Promise.all(writing);

    for (const name of ['first', 'second', 'third']) {
      await restored(name, true);
      const lists = await ListsOnPostgres.start({ ...target, drop: () => Promise.resolve() });
      for (const { user } of writers) {
        expect(await lists.faults(user.id)).toEqual([]);
      }
      await lists.dataSource.destroy();
    }
  });

  it('is restored into a database with accounts only with force, and replaces them', async () => {
    await backedUp();
    await runMigrations(target.connection);
    await target.query(
      `INSERT INTO users (name, email, password_hash) VALUES ('Eve', 'eve@example.com', '')`,
    );
    const emails = async () =>
      (await target.query<{ email: string }>('SELECT email FROM users')).map(({ email }) => email);

    await expect(restored()).rejects.toThrow(/there are accounts in this database/);
    expect(await emails()).toEqual(['eve@example.com']);
    await restored('backup', true);

    expect(await emails()).toContain(api.user.email);
    expect(await emails()).not.toContain('eve@example.com');
    await expect(restored()).rejects.toThrow(/there are accounts/);
  });

  it('is not restored into a database with a newer schema, which stays unchanged', async () => {
    await backedUp();
    await runMigrations(target.connection);
    await target.query(`INSERT INTO migrations (timestamp, name) VALUES (2e12, 'AddMore')`);

    await expect(restored()).rejects.toThrow('has a schema that this version does not know');

    expect((await migrationStatus(target.connection)).executed.at(-1)).toBe('AddMore');
    expect(await target.query('SELECT 1 AS found FROM users')).toEqual([]);
  });

  it('is not restored while the service uses the database', async () => {
    await backedUp();

    const restoring = restoreBackup(app.database.connection, pathOf('backup'), { force: true });

    await expect(restoring).rejects.toThrow('the service is running on this database');
    expect((await api.found({ state: 'all' })).status).toBe(1);
  });

  it('is not created from a database that no service has used', async () => {
    await expect(backedUp(target)).rejects.toThrow('there is nothing to back up');
  });
});

describe('an invalid backup', () => {
  beforeEach(async () => {
    await backedUp();
  });

  const write = (content: string | Buffer) => writeFile(pathOf('backup'), content);

  it.each<[string, () => unknown, RegExp]>([
    ['no archive', () => write('hello'), /no whole backup/],
    ['empty', () => write(''), /no whole backup/],
    [
      'missing',
      () => {
        rmSync(pathOf('backup'));
      },
      /no whole backup: .*ENOENT/,
    ],
    ['cut off', () => write(readFileSync(pathOf('backup')).subarray(0, -200)), /no whole backup/],
    [
      'damaged in a table',
      () =>
        rewritten((files) => {
          files['tables/users.copy'] = files['tables/users.copy']!.replace('Ada', 'Eve');
        }),
      /table users of the backup is damaged/,
    ],
    [
      'short of rows',
      () =>
        rewritten((files) => {
          files['tables/items.copy'] = '';
        }),
      /table items of the backup is damaged/,
    ],
    [
      'without a table',
      () =>
        rewritten((files) => {
          delete files['tables/lists.copy'];
        }),
      /a table is missing/,
    ],
    [
      'another archive',
      () =>
        rewritten((files) => {
          delete files['manifest.json'];
        }),
      /no backup of Satchel/,
    ],
    [
      'of another format',
      () =>
        changeManifest((manifest) => {
          manifest['format'] = 2;
        }),
      /of another format/,
    ],
    [
      'of a newer schema',
      () =>
        changeManifest((manifest) => {
          manifest['satchel'] = '9.0.0';
          manifest['migrations'] = [...(manifest['migrations'] as string[]), 'AddMore1999'];
        }),
      /made by Satchel 9.0.0, whose schema this version does not know/,
    ],
  ])('is rejected if it is %s, and changes nothing', async (_, spoil, reason) => {
    await spoil();

    await expect(restored()).rejects.toThrow(reason);

    expect(await tablesIn()).toBe(0);
  });

  it('is rejected if one byte of it is changed, and changes nothing', async () => {
    const bytes = readFileSync(pathOf('backup'));
    const at = bytes.indexOf('users.copy') + 40;
    bytes[at] = bytes[at]! ^ 0xff;
    await write(bytes);

    await expect(restored()).rejects.toThrow();

    expect(await tablesIn()).toBe(0);
  });
});
