import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { ImportService } from '../../src/transfer/import/import.service.js';
import { UndoService } from '../../src/transfer/undo/undo.service.js';
import { ImportApi } from '../support/import-api.js';
import { brokenPromises } from '../support/list-invariants.js';
import { aVisitor } from '../support/oauth-api.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';

let app: TestApp;
let ada: Awaited<ReturnType<typeof aVisitor>>;
let api: ReadingListApi;
let imports: ImportApi;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await aVisitor(app);
  api = await ReadingListApi.of(app, { user: ada.user });
  imports = new ImportApi(app, api);
});
afterEach(async () => {
  expect(await brokenPromises(app.database)).toEqual({});
});

const urlOf = (name: string): string => `https://example.com/${name}`;
const fileOf = (...names: readonly string[]): string => names.map(urlOf).join('\n');
/** Returns the names of all items. A page of the API has only 30 items. */
async function remaining(): Promise<string[]> {
  const names = [];
  for (let offset = 0, page = ['']; page.length > 0; offset += page.length) {
    page = await api.names({ state: 'all', count: 30, offset });
    names.push(...page);
  }
  return names.toSorted();
}

async function idOf(name: string): Promise<string> {
  const items = await api.items({ state: 'all' });
  return items.find(({ given_url: url }) => url === urlOf(name))!.item_id;
}

const preview = async (id: string): Promise<object> =>
  app.app.get(UndoService).preview(await app.app.get(ImportService).find(api.user.id, id));

/** Returns an import of these pages. */
const imported = async (content: string) => imports.imported(content);

it('keeps an item that the user has begun to read, but not one that was only opened', async () => {
  const job = await imported(fileOf('begun', 'opened', 'other'));
  const read = async (name: string, percent: string): Promise<void> => {
    const position = { percent, _csrf: await ada.csrfToken() };
    await ada.post(`/read/${await idOf(name)}/position`, position).expect(303);
  };
  await read('begun', '40');
  await read('opened', '0');
  expect(await preview(job.id)).toEqual({ removed: 2, restored: 0, kept: 1, lists: 0 });

  expect(await imports.undone(job.id)).toMatchObject({ undo_removed: 2, undo_kept: 1 });

  expect(await remaining()).toEqual(['begun']);
  const place = await app.database.query(
    `SELECT fraction FROM reading_positions WHERE user_id = ${api.user.id}`,
  );
  expect(place).toEqual([{ fraction: 0.4 }]);
});

it('keeps an item for which a client has sent a page', async () => {
  const job = await imported(fileOf('walled', 'other'));
  const calls = await WallabagCalls.of(app, { v3: api });
  const rows = await app.database.query<{ number: number }>(
    `SELECT number FROM items WHERE user_id = ${api.user.id} AND item_id = ${await idOf('walled')}`,
  );
  const entry = `entries/${rows[0]!.number}`;
  const content = '<p>Only visible to those who have logged in.</p>';
  await calls.call('patch', entry, { content }).expect(200);
  expect(await preview(job.id)).toEqual({ removed: 1, restored: 0, kept: 1, lists: 0 });

  expect(await imports.undone(job.id)).toMatchObject({ undo_removed: 1, undo_kept: 1 });

  const { body } = await calls.call('get', entry).expect(200);
  expect(body).toMatchObject({ content: expect.stringContaining('Only visible') });
});

it('keeps an item of which the user has saved a snapshot', async () => {
  const job = await imported(fileOf('seen', 'other'));
  const item_id = await idOf('seen');
  const { body } = await api.post('/v3/snapshot', { item_id, html: '<p>Words' }).expect(200);
  expect(await preview(job.id)).toEqual({ removed: 1, restored: 0, kept: 1, lists: 0 });

  expect(await imports.undone(job.id)).toMatchObject({ undo_removed: 1, undo_kept: 1 });

  expect(await remaining()).toEqual(['seen']);
  const content = await ada.open(`/snapshots/${body.snapshot_id}/content`).expect(200);
  expect(content.text).toContain('<p>Words</p>');
});

it('does not count an item that a later import has changed and the user has deleted', async () => {
  const first = await imported(fileOf('a', 'b'));
  await imported(`title,url,time_added,tags\nA,${urlOf('a')},5,late`);
  await api.sent({ action: 'delete', url: urlOf('a') });
  expect(await preview(first.id)).toMatchObject({ removed: 1, kept: 0 });

  expect(await imports.undone(first.id)).toMatchObject({ undo_removed: 1, undo_kept: 0 });
});

it('removes items with unusual values and restores what they were', async () => {
  await api.saved(urlOf('own'), { tags: 'zebra,Äpfel', title: 'Ä\u0301 own' });
  await app.database.query(`UPDATE items SET time_updated = 5 WHERE user_id = ${api.user.id}`);
  const before = await api.items({ detailType: 'complete' });
  const rows = [
    ['"A ""quoted"", title"', urlOf('a'), '5', 'zulu|alpha|ZEBRA', 'unread'],
    ['', `${urlOf('b')}?utm_source=x#top`, '0', 'Émile|émile| x ', 'archive'],
    ['😀'.repeat(300), 'HTTPS://EXAMPLE.com:443/%7euser', '9999999999', '', 'unread'],
    ['Own', urlOf('own'), '1700000000', 'new|äpfel', 'archive'],
  ];
  const file = ['title,url,time_added,tags,status', ...rows.map((row) => row.join(','))];
  const job = await imported(file.join('\n'));
  expect(job).toMatchObject({ added: 3, changed: 1 });
  expect(await preview(job.id)).toEqual({ removed: 3, restored: 1, kept: 0, lists: 0 });

  expect(await imports.undone(job.id)).toMatchObject({
    undo_removed: 3,
    undo_restored: 1,
    undo_kept: 0,
  });
  const withoutSort = (items: readonly object[]): object[] =>
    items.map((item) => ({ ...item, sort_id: 0 }));
  expect(withoutSort(await api.items({ state: 'all', detailType: 'complete' }))).toEqual(
    withoutSort(before),
  );
});

it('leaves the copy in the trash of an item that the import had restored', async () => {
  const id = await api.saved(urlOf('a'));
  await api.sent({ action: 'set_note', item_id: id, note: 'Mine.' });
  await app.app.get(DeletionsService).delete(api.user.id, [id]);
  const job = await imports.imported(fileOf('a'), { restore_deleted: '1' });
  expect(job).toMatchObject({ added: 1 });
  expect(await imports.undone(job.id)).toMatchObject({ undo_removed: 1 });

  expect(await app.app.get(DeletionsService).restore(api.user.id, [id])).toEqual([id]);
  const [item] = await api.items({ detailType: 'complete' });
  expect(item).toMatchObject({ note: 'Mine.' });
});

it('loses no change that the user makes while the undo runs', async () => {
  const names = Array.from({ length: 300 }, (_, at) => `p${at}`);
  const job = await imported(fileOf(...names));
  const edits = names.filter((_, at) => at % 8 === 0);
  const undone = imports.undone(job.id);
  const results = await Promise.all(
    edits.map(async (name) => {
      const action = { action: 'tags_add', tags: 'mine', url: urlOf(name) };
      const [result] = await api.results(action);
      return [name, result] as const;
    }),
  );
  const { undo_removed: removed, undo_kept: kept } = await undone;

  const done = results.filter(([, result]) => result !== false).map(([name]) => name);
  expect(await remaining()).toEqual(done.toSorted());
  expect([removed, kept]).toEqual([300 - done.length, done.length]);
});

it('an abandoned upload does not prevent an undo', async () => {
  const job = await imported(fileOf('a'));
  await app.database.query(
    `INSERT INTO imports (user_id, file_name, restores_deleted, leased_until)
     VALUES (${api.user.id}, 'x', false, now() - interval '1 second')`,
  );
  expect(await imports.undone(job.id)).toMatchObject({ state: 'undone', undo_removed: 1 });
});
