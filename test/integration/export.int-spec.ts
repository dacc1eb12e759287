import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { LibraryArchives } from '../../src/transfer/export/archive/library-archives.js';
import { ExportService } from '../../src/transfer/export/export.service.js';
import { StoredLibrary } from '../../src/transfer/export/stored-library.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { until } from '../support/processes.js';

const PAGES = 3;
const ITEMS = PAGES * 1000 + 1;

/** Rows read from the items table in this session. */
const ROWS_READ = `
  SELECT seq_tup_read + idx_tup_fetch AS rows FROM pg_stat_xact_user_tables WHERE relname = 'items'`;

let lists: ListsOnPostgres;
let exports: ExportService;
let user: string;
let directory: string;
let file: FileHandle;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
  exports = new ExportService(lists.database, {} as LibraryArchives);
});
afterAll(() => lists.stop());
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'satchel-test-'));
  file = await open(join(directory, 'export'), 'wx+');
  user = await lists.aUser();
  await lists.tables.query('INSERT INTO lists (user_id) VALUES ($1)', [user]);
  await lists.tables.query(
    `INSERT INTO items (user_id, item_id, stamp, time_added, time_updated, given_url, title_key, url_key, search_text, number)
     SELECT $1, n, 1, n / 10, 7, 'https://example.com/' || n, '', '', '', -n FROM generate_series(1, $2::integer) n`,
    [user, ITEMS],
  );
});
afterEach(async () => {
  await file.close();
  rmSync(directory, { recursive: true });
});

const wanted = { format: 'jsonl', withArticles: false } as const;
const written = (): Record<string, unknown>[] =>
  readFileSync(join(directory, 'export'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const spooledFiles = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('satchel-export-'));

/** Runs work at the first write of the export. */
function atFirstWrite(work: () => Promise<unknown>): FileHandle {
  let isFirst = true;
  const append = async (chunk: string | Buffer): Promise<void> => {
    if (isFirst) {
      isFirst = false;
      await work();
    }
    await file.appendFile(chunk);
  };
  return new Proxy(file, {
    get: (target, name) => (name === 'appendFile' ? append : Reflect.get(target, name)),
  });
}

describe('an export', () => {
  it('contains each item once, oldest first, across several pages', async () => {
    await exports.write({ ...wanted, userId: user }, file);

    expect(written().map(({ url }) => url)).toEqual(
      Array.from({ length: ITEMS }, (_, n) => `https://example.com/${n + 1}`),
    );
  });

  it('contains each item once, newest first, even with equal times', async () => {
    await exports.write({ ...wanted, format: 'netscape', userId: user }, file);

    const text = readFileSync(join(directory, 'export'), 'utf8');
    const found = Array.from(text.matchAll(/HREF="[^"]*\/(\d+)"/g), ([, n]) => Number(n));
    expect(found).toEqual(Array.from({ length: ITEMS }, (_, n) => ITEMS - n));
  });

  it('is a snapshot that excludes concurrent changes', async () => {
    const slow = atFirstWrite(async () => {
      await lists.send(user, [
        { action: 'add', url: 'https://example.com/late' },
        ...[2990, 2995].map((n) => ({ action: 'delete', item_id: String(n) })),
      ]);
      await lists.tables.query(`UPDATE items SET tags = '{late}' WHERE user_id = $1`, [user]);
      await lists.tables.query(
        `INSERT INTO annotations (user_id, annotation_id, item_id, quote, patch, version, created_at, updated_at, number)
         VALUES ($1, 'late', 3000, 'q', 'p', '2', 1, 1, -1)`,
        [user],
      );
    });

    await exports.write({ ...wanted, userId: user }, slow);

    const items = written();
    expect(items.length).toBe(ITEMS);
    expect(items.filter(({ tags }) => (tags as string[]).length > 0)).toEqual([]);
    expect(items.filter((item) => 'annotations' in item)).toEqual([]);
  });

  it('contains all annotations of each item, even more than one page of them', async () => {
    await lists.tables.query(
      `INSERT INTO annotations (user_id, annotation_id, item_id, quote, patch, version, created_at, updated_at, number)
       SELECT $1, item || '-' || n, item, 'q', '', '2', n / 10, 1, -100 * item - n
       FROM generate_series(5, 9) item, generate_series(10, 89) n`,
      [user],
    );

    await exports.write({ ...wanted, userId: user }, file);

    const counts = written().map(({ annotations = [] }) => (annotations as object[]).length);
    expect(counts.slice(0, 10)).toEqual([0, 0, 0, 0, 80, 80, 80, 80, 80, 0]);
    const [, , , , fifth] = written();
    expect(
      (fifth!['annotations'] as { annotation_id: string }[]).map((one) => one.annotation_id),
    ).toEqual(Array.from({ length: 80 }, (_, n) => `5-${n + 10}`));
  });

  // The planner's choice depends on changing statistics. With sorts and sequential scans disabled, the number of read
  // rows shows whether an index has each page in order.
  it.each([
    ['with the oldest first', (library: StoredLibrary) => library.annotatedItems()],
    ['with the newest first', (library: StoredLibrary) => library.newestFirst()],
  ])('reads each page of the list from an index: %s', async (_order, read) => {
    await lists.dataSource.transaction(async (manager) => {
      for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort']) {
        await manager.query(`SET LOCAL enable_${way} = off`);
      }
      await manager.query('DISCARD PLANS');
      const rowsRead = async (): Promise<number> =>
        Number((await manager.query<{ rows: string }[]>(ROWS_READ))[0]?.rows);
      const before = await rowsRead();

      let items = 0;
      for await (const one of read(new StoredLibrary(manager, user))) {
        items += 'item' in one || 'itemId' in one ? 1 : 0;
      }

      expect(items).toBe(ITEMS);
      expect((await rowsRead()) - before).toBe(ITEMS);
    });
  });

  it('stops when it is aborted, and releases its connection', async () => {
    const gone = new AbortController();
    const slow = atFirstWrite(async () => {
      gone.abort();
      await Promise.resolve();
    });

    const writing = exports.write({ ...wanted, userId: user }, slow, gone.signal);

    await expect(writing).rejects.toThrow(/abort/);
    const open = await lists.tables.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL
       AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    expect(open).toEqual([]);
  });

  it('deletes its temporary file when the callback fails', async () => {
    const before = spooledFiles();

    const failing = exports.download(
      { ...wanted, userId: user },
      new AbortController().signal,
      ({ bytes }) => Promise.reject(new Error(bytes! > 0 ? 'full' : 'empty')),
    );

    await expect(failing).rejects.toThrow('full');
    // Other suites create and delete files too.
    await until(() => spooledFiles().every((name) => before.includes(name)), 'an empty folder');
  });

  it('runs for two users at once, while a third user gets service_busy', async () => {
    const people = [user, await lists.aUser(), await lists.aUser()];
    const { signal } = new AbortController();

    const made = await lists.dataSource.transaction(async (locking) => {
      await locking.query('LOCK TABLE items');
      const making = people.map((userId) =>
        exports.download({ ...wanted, userId }, signal, ({ bytes }) => Promise.resolve(bytes)),
      );
      await Promise.race(
        making.map((one) =>
          one.then(
            () => undefined,
            () => 'refused',
          ),
        ),
      );
      return making;
    });
    const ends = await Promise.allSettled(made);

    expect(ends.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'service_busy' },
    });
  });
});
