import { UserRepository } from '../../src/auth/user.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { ItemEdits } from '../../src/reading-list/edits/item-edits.service.js';
import { normalAddress } from '../../src/reading-list/list/address.js';
import { ListTransactions } from '../../src/reading-list/list-transactions.js';
import { ImportRepository } from '../../src/transfer/import/import.repository.js';
import { ImportRunner } from '../../src/transfer/import/import.runner.js';
import { ImportService } from '../../src/transfer/import/import.service.js';
import { ImportWorkers } from '../../src/transfer/import/import.workers.js';
import { ImportChangesRepository } from '../../src/transfer/undo/import-changes.repository.js';
import { UndoRunner } from '../../src/transfer/undo/undo.runner.js';
import { UndoService } from '../../src/transfer/undo/undo.service.js';
import { whileHeld } from '../support/held-row.js';
import { eventsIn, subscribe } from '../support/list-events.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const SAME = { title: undefined, tags: undefined };
const NEVER = new AbortController().signal;
/** Raises the error of a server that is shutting down. */
const OUTAGE = `DO $$ BEGIN RAISE EXCEPTION SQLSTATE '57P03'; END $$`;
const LATER = `UPDATE imports SET leased_until = now() - interval '1 second'`;

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp({ config: { storageLimitBytes: 1_000_000_000 } });
  // Stops the workers, because the tests run imports and undos themselves.
  await app.app.get(ImportWorkers).beforeApplicationShutdown();
});
afterAll(() => app.close());
afterEach(() => jest.restoreAllMocks());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const urls = (count: number): string =>
  Array.from({ length: count }, (_, at) => `https://example.com/${at}\n`).join('');

/** Imports a file. Returns the id of the import. */
async function imported(content: string): Promise<string> {
  const file = (async function* () {
    await Promise.resolve();
    yield Buffer.from(content);
  })();
  const rules = { restoresDeleted: false, foldersBecomeLists: false };
  const userId = api.user.id;
  const id = await app.app.get(ImportService).start({ userId, fileName: 'x', ...rules }, file);
  await app.app.get(ImportRunner).run((await claimed(id))!, NEVER);
  return id;
}

const claimed = (id: string) => app.app.get(ImportRepository).claim(id);
const undos = (): UndoService => app.app.get(UndoService);
const runner = (): UndoRunner => app.app.get(UndoRunner);
const begun = (id: string): Promise<unknown> => undos().begin({ userId: api.user.id, id });
const job = (id: string) => app.app.get(ImportService).find(api.user.id, id);
const countOf = async (table: string): Promise<number> =>
  (await app.database.query(`SELECT 1 FROM ${table} WHERE user_id = ${api.user.id}`)).length;

/** Calls `work` after a number of batches were undone, before the next batch. */
function afterBatches(count: number, work: () => unknown): void {
  const lists = app.app.get(ListTransactions);
  const run = lists.run.bind(lists);
  let batches = 0;
  jest.spyOn(lists, 'run').mockImplementation(async (userId, write) => {
    if (batches === count) {
      await work();
    }
    batches += 1;
    return run(userId, write);
  });
}

describe('an undo whose process ends', () => {
  it('is continued by the next process, and each item counts once', async () => {
    const id = await imported(urls(450));
    await begun(id);
    const first = await claimed(id);
    expect(first).toMatchObject({ state: 'undoing' });
    expect(await claimed(id)).toBeUndefined();
    afterBatches(2, () => Promise.reject(new Error('The process ends.')));
    await runner().run(first!, NEVER);
    expect(await countOf('items')).toBe(300);
    jest.restoreAllMocks();

    await app.database.query(LATER);
    await runner().run((await claimed(id))!, NEVER);

    expect(await job(id)).toMatchObject({ state: 'undone', undoRemoved: 450, undoKept: 0 });
    expect(await countOf('items')).toBe(0);
    expect(await countOf('import_changes')).toBe(0);
  });

  it('writes nothing after another process has taken it', async () => {
    const id = await imported(urls(250));
    await begun(id);
    const slow = (await claimed(id))!;
    afterBatches(1, () =>
      app.database.query(`UPDATE imports SET lease = gen_random_uuid() WHERE id = ${id}`),
    );

    await runner().run(slow, NEVER);

    expect(await job(id)).toMatchObject({ state: 'undoing', undoRemoved: 50 });
    expect(await countOf('items')).toBe(200);
  });

  it('stops with the service, and goes on later', async () => {
    const id = await imported(urls(250));
    await begun(id);
    const stopping = new AbortController();
    afterBatches(1, () => {
      stopping.abort();
    });
    await runner().run((await claimed(id))!, stopping.signal);
    expect(await job(id)).toMatchObject({ state: 'undoing', finishedAt: null });
    jest.restoreAllMocks();

    await app.database.query(LATER);
    await runner().run((await claimed(id))!, NEVER);
    expect(await job(id)).toMatchObject({ state: 'undone', undoRemoved: 250 });
  });

  it('fails after many attempts without progress, and can be started again', async () => {
    const id = await imported(urls(3));
    await begun(id);
    await app.database.query(`UPDATE imports SET attempts = 11 WHERE id = ${id}`);
    await runner().run((await claimed(id))!, NEVER);
    expect(await job(id)).toMatchObject({ state: 'failed', undoRemoved: 0 });
    expect(await countOf('items')).toBe(3);

    await begun(id);
    await runner().run((await claimed(id))!, NEVER);
    expect(await job(id)).toMatchObject({ state: 'undone', failure: null, undoRemoved: 3 });
  });

  it('cannot be cancelled', async () => {
    const id = await imported(urls(3));
    await begun(id);
    expect(await app.app.get(ImportService).cancel(api.user.id, id)).toMatchObject({
      state: 'undoing',
    });
  });
});

it('a preview shows the counts of the undo, and changes nothing', async () => {
  await api.saved('https://example.com/0', { time: 5 });
  await api.saved('https://example.com/own');
  await app.database.query(`UPDATE items SET time_updated = 5 WHERE user_id = ${api.user.id}`);
  const rows = Array.from({ length: 220 }, (_, at) => `${at},https://example.com/${at},1600000000`);
  const again = ['x,https://example.com/1,1700000000', 'x,https://example.com/2,1700000000'];
  const id = await imported(['title,url,time_added', ...rows, ...again].join('\n'));
  await api.sent(
    { action: 'favorite', url: 'https://example.com/2' },
    { action: 'favorite', url: 'https://example.com/3' },
    { action: 'delete', url: 'https://example.com/4' },
  );

  const counts = { removed: 216, restored: 1, kept: 2, lists: 0 };
  expect(await undos().preview(await job(id))).toEqual(counts);

  expect(await countOf('items')).toBe(220);
  await begun(id);
  await runner().run((await claimed(id))!, NEVER);
  expect(await job(id)).toMatchObject({ undoRemoved: 216, undoRestored: 1, undoKept: 2 });
  expect(await api.names({ state: 'all', sort: 'title' })).toEqual(
    expect.arrayContaining(['0', '2', '3', 'own']),
  );
});

it('keeps items with a public link, and items that the user has moved to another address', async () => {
  const id = await imported(urls(4));
  const userId = api.user.id;
  const items = await api.items({ sort: 'oldest' });
  const idOf = (name: string): string =>
    items.find(({ given_url: url }) => url.endsWith(`/${name}`))!.item_id;
  await app.database.query(
    `INSERT INTO shared_items (user_id, item_id, access_id) VALUES (${userId}, ${idOf('1')}, '\\x01')`,
  );
  await app.app
    .get(ItemEdits)
    .edit(userId, idOf('2'), { address: normalAddress('https://example.com/elsewhere'), ...SAME });
  await begun(id);
  await runner().run((await claimed(id))!, NEVER);
  expect(await job(id)).toMatchObject({ undoRemoved: 2, undoKept: 2 });
  expect((await api.names()).toSorted()).toEqual(['1', 'elsewhere']);
});

it('waits for a reading position that is being stored, and keeps the item', async () => {
  const id = await imported(urls(2));
  const [item] = await api.items();
  const values = [api.user.id, item!.item_id];
  await begun(id);
  const claim = (await claimed(id))!;
  await whileHeld(app.database, {
    lock: 'SELECT FROM items WHERE user_id = $1 AND item_id = $2 FOR KEY SHARE',
    change: 'INSERT INTO reading_positions VALUES ($1, $2, 0.5, 1, now())',
    values,
    waiting: () => runner().run(claim, NEVER),
  });
  expect(await job(id)).toMatchObject({ state: 'undone', undoRemoved: 1, undoKept: 1 });
  expect(await countOf('reading_positions')).toBe(1);
});

it('writes events that count the removed and the restored items', async () => {
  await api.saved('https://example.com/0', { title: 'Mine', time: 5 });
  const userId = api.user.id;
  await app.database.query(`UPDATE items SET time_updated = 5 WHERE user_id = ${userId}`);
  const id = await imported(
    'title,url,time_added\nB,https://example.com/0,1700000000\nC,https://example.com/1,5',
  );
  await subscribe({ database: app.app.get(Database) }, userId, 'test');
  await begun(id);
  await runner().run((await claimed(id))!, NEVER);
  expect(await eventsIn(app.database, userId)).toEqual([
    { kind: 'item.deleted', count: 1 },
    { kind: 'item.changed', count: 1 },
  ]);
});

it('ends without an error if the account is deleted while the undo runs', async () => {
  const id = await imported(urls(250));
  await begun(id);
  const { id: userId } = api.user;
  afterBatches(1, () =>
    app.app
      .get(Database)
      .transaction((manager) => UserRepository.in(manager).deleteAccount(userId)),
  );
  await runner().run((await claimed(id))!, NEVER);
  for (const table of ['imports', 'import_changes', 'items', 'lists']) {
    expect(await countOf(table)).toBe(0);
  }
});

describe('a day after the end of an import', () => {
  const expired = `UPDATE imports SET undo_until = now() - interval '1 second'`;

  it('its recorded changes are deleted, in several steps', async () => {
    const id = await imported(urls(5200));
    await app.app.get(UndoRunner).sweep();
    expect(await countOf('import_changes')).toBe(52);
    await app.database.query(`${expired} WHERE id = ${id}`);

    await app.app.get(UndoRunner).sweep();

    expect(await countOf('import_changes')).toBe(0);
    expect(await job(id)).toMatchObject({ state: 'done', undoUntil: null });
    expect(await countOf('items')).toBe(5200);
  });

  it('the changes of more imports than one step reads are deleted, also behind one that fails', async () => {
    const userId = api.user.id;
    const last = await imported(urls(1));
    await app.database.query(
      `INSERT INTO imports (user_id, file_name, restores_deleted, state, finished_at, undo_until)
       SELECT ${userId}, 'x', false, 'done', now(), now() FROM generate_series(1, 150)`,
    );
    await app.database.query(`${expired} WHERE user_id = ${userId}`);
    const changes = app.app.get(ImportChangesRepository);
    const forget = changes.forget.bind(changes);
    jest.spyOn(changes, 'forget').mockImplementation(async (one) => {
      await (one.id === last ? app.database.query(OUTAGE) : forget(one));
    });
    await app.app.get(UndoRunner).sweep();
    const left = `SELECT id FROM imports WHERE user_id = ${userId} AND undo_until IS NOT NULL`;
    expect(await app.database.query(left)).toEqual([{ id: last }]);
  });

  it('a running undo goes on', async () => {
    const id = await imported(urls(3));
    await begun(id);
    await app.database.query(`${expired} WHERE id = ${id}`);
    await app.app.get(UndoRunner).sweep();
    await runner().run((await claimed(id))!, NEVER);
    expect(await job(id)).toMatchObject({ state: 'undone', undoRemoved: 3 });
  });
});

it('restores earlier values although the user has no storage left', async () => {
  await api.saved('https://example.com/0', { title: 'A title of some length', time: 5 });
  await app.database.query(`UPDATE items SET time_updated = 5 WHERE user_id = ${api.user.id}`);
  const id = await imported('title,url,time_added\nB,https://example.com/0,1700000000');
  expect(await job(id)).toMatchObject({ changed: 1 });
  await app.app
    .get(Database)
    .manager.query(`UPDATE lists SET stored_bytes = 1e15 WHERE user_id = $1`, [api.user.id]);
  await begun(id);
  await runner().run((await claimed(id))!, NEVER);
  expect(await job(id)).toMatchObject({ state: 'undone', undoRestored: 1 });
  expect(await api.items()).toEqual([
    expect.objectContaining({ given_title: 'A title of some length' }),
  ]);
});
