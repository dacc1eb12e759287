import type { Response } from 'supertest';

import { Database } from '../../src/platform/database/database.js';
import { recordPages } from '../../src/reading-list/pages/record-pages.js';
import { aParsedPage } from '../support/a-page.js';
import { ImportApi } from '../support/import-api.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let imports: ImportApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  imports = new ImportApi(app, api);
});

const urlOf = (name: string): string => `https://example.com/${name}`;

/** Returns a file in the format of Pocket. Each row has a name, a time, tags and a status. */
const csv = (...rows: readonly (readonly [string, number, string?, string?])[]): string =>
  [
    'title,url,time_added,tags,status',
    ...rows.map(
      ([name, time, tags = '', status = 'unread']) =>
        `T ${name},${urlOf(name)},${time},${tags},${status}`,
    ),
  ].join('\n');

/** Returns a dump of Pocket's API with one item. */
const dump = (members: object): string =>
  JSON.stringify({
    status: 1,
    list: { 1: { item_id: '1', given_url: urlOf('a'), status: '0', ...members } },
  });

const all = (): Promise<string[]> => api.names({ state: 'all', sort: 'oldest' });

/** Returns the whole item at an address, without the values that every write changes. */
async function shown(name: string): Promise<object | undefined> {
  const items = await api.items({ state: 'all', detailType: 'complete', annotations: 1 });
  const item = items.find(({ given_url: url }) => url === urlOf(name));
  return item && { ...item, sort_id: 0 };
}

const counts = (
  undo_removed: number,
  undo_restored: number,
  undo_kept: number,
  undo_lists = 0,
): object => ({ state: 'undone', undo_removed, undo_restored, undo_kept, undo_lists });

describe('the undo of an import', () => {
  it('removes added items for all clients, and leaves the rest of the list', async () => {
    await api.saved(urlOf('own'), { tags: 'x' });
    const job = await imports.imported(csv(['a', 5, 'x|y'], ['b', 6]));
    const { since } = await api.found();

    expect(await imports.undone(job.id)).toMatchObject(counts(2, 0, 0));

    expect(await all()).toEqual(['own']);
    const { list } = await api.found({ since });
    expect(Object.values(list).map(({ status }) => status)).toEqual(['2', '2']);
    expect((await api.found({ tag: 'y', state: 'all' })).list).toEqual({});
    expect(await imports.find(job.id)).toMatchObject({ undo_until: null });
  });

  it('restores changed items exactly, with the same address in the list', async () => {
    const id = await api.saved(urlOf('a'), { time: 100, title: 'Mine', tags: 'one,two' });
    await api.sent({ action: 'set_note', item_id: id, note: 'First.', time: 100 });
    await app.database.query(`UPDATE items SET time_updated = 100 WHERE user_id = ${api.user.id}`);
    const before = await shown('a');
    const { since } = await api.found();
    const job = await imports.imported(
      dump({
        ...{ status: '1', favorite: '1', resolved_title: 'T', time_added: '200' },
        ...{ time_updated: '1700000000', time_read: '300', time_favorited: '301' },
        tags: { three: { item_id: '1', tag: 'three' } },
        annotations: [{ annotation_id: 'h', item_id: '1', quote: 'Words.', patch: '', version: 2 }],
      }),
    );
    expect(job).toMatchObject({ changed: 1 });
    expect(await shown('a')).toMatchObject({
      status: '1',
      annotations: expect.arrayContaining([expect.objectContaining({ quote: 'Words.' })]),
    });

    expect(await imports.undone(job.id)).toMatchObject(counts(0, 1, 0));

    expect(await shown('a')).toEqual(before);
    expect(Object.keys((await api.found({ since, state: 'all' })).list)).toEqual([id]);
  });

  it.each<[string, object]>([
    ['archived', { action: 'archive' }],
    ['tagged', { action: 'tags_add', tags: 'mine' }],
    ['noted', { action: 'set_note', note: 'Mine.' }],
    [
      'highlighted',
      {
        action: 'add_annotation',
        annotation: { quote: 'Q', patch: 'Q', version: 2, annotation_id: 'm' },
      },
    ],
    ['favorited', { action: 'favorite' }],
  ])('keeps an item that the user has %s', async (_, action) => {
    const job = await imports.imported(csv(['a', 5], ['b', 6]));
    expect(await api.results({ ...action, url: urlOf('a') })).toEqual([expect.anything()]);
    const before = await shown('a');

    expect(await imports.undone(job.id)).toMatchObject(counts(1, 0, 1));

    expect(await shown('a')).toEqual(before);
    expect(await all()).toEqual(['a']);
  });

  it('keeps items whose tag the user has renamed', async () => {
    const job = await imports.imported(csv(['a', 5, 'x'], ['b', 6]));
    await api.sent({ action: 'tag_rename', old_tag: 'x', new_tag: 'z' });
    expect(await imports.undone(job.id)).toMatchObject(counts(1, 0, 1));
    expect(tagsOf((await api.items({ detailType: 'complete' }))[0])).toEqual(['z']);
  });

  it('removes items whose pages were fetched after the import', async () => {
    const job = await imports.imported(csv(['a', 5]));
    const [item] = await api.items();
    const { record } = aParsedPage() as { record: { item: object } };
    const page = { ...record.item, resolvedId: '7' } as never;
    await app.app
      .get(Database)
      .transaction((manager) =>
        recordPages(manager, api.user.id, new Map([[item!.item_id, page]])),
      );
    expect(await shown('a')).toMatchObject({ word_count: '300' });

    expect(await imports.undone(job.id)).toMatchObject(counts(1, 0, 0));
    expect(await all()).toEqual([]);
  });

  it('does not count items that the user has deleted, and keeps those that are saved again', async () => {
    const job = await imports.imported(csv(['a', 5], ['b', 6], ['c', 7]));
    await api.sent({ action: 'delete', url: urlOf('a') }, { action: 'delete', url: urlOf('b') });
    await api.saved(urlOf('b'));

    expect(await imports.undone(job.id)).toMatchObject(counts(1, 0, 1));
    expect(await all()).toEqual(['b']);
  });

  it('keeps items that a later import has changed, until that import is undone too', async () => {
    const first = await imports.imported(csv(['a', 5], ['b', 6]));
    const second = await imports.imported(csv(['a', 5, 'late'], ['c', 7]));
    expect(second).toMatchObject({ added: 1, changed: 1 });

    expect(await imports.undone(first.id)).toMatchObject(counts(1, 0, 1));
    expect(await all()).toEqual(['a', 'c']);
    expect(await imports.undone(second.id)).toMatchObject(counts(1, 1, 0));
    expect(await shown('a')).toMatchObject({ given_title: 'T a' });
  });

  it('keeps an item to which a later import has only added a highlight', async () => {
    const first = await imports.imported(csv(['a', 5]));
    const annotation = { annotation_id: 'h', item_id: '1', quote: 'Words.', patch: '', version: 2 };
    expect(await imports.imported(dump({ annotations: [annotation] }))).toMatchObject({
      changed: 1,
    });

    expect(await imports.undone(first.id)).toMatchObject(counts(0, 0, 1));
    expect(await shown('a')).toMatchObject({ annotations: [{ quote: 'Words.' }] });
  });

  it('undoes imports of the same items from the last to the first', async () => {
    const first = await imports.imported(csv(['a', 5], ['b', 6]));
    const second = await imports.imported(csv(['a', 5, 'late'], ['c', 7]));

    expect(await imports.undone(second.id)).toMatchObject(counts(1, 1, 0));
    expect(await imports.undone(first.id)).toMatchObject(counts(2, 0, 0));
    expect(await all()).toEqual([]);
  });

  it('counts an item once if several rows of the file contain it', async () => {
    const rows = Array.from({ length: 220 }, (_, at) => [`p${at}`, at + 10] as const);
    await api.saved(urlOf('own'));
    const job = await imports.imported(
      csv(...rows, ['p0', 1_600_000_000, 'again', 'archive'], ['p1', 1_600_000_001, 'again']),
    );
    expect(job).toMatchObject({ added: 220, changed: 2 });

    expect(await imports.undone(job.id)).toMatchObject(counts(220, 0, 0));
    expect(await all()).toEqual(['own']);
  });

  it('lets the same file be imported again, but leaves items that the user had deleted', async () => {
    await api.saved(urlOf('gone'));
    await api.sent({ action: 'delete', url: urlOf('gone') });
    const file = csv(['a', 5], ['gone', 6]);
    const first = await imports.imported(file, { restore_deleted: '1' });
    expect(first).toMatchObject({ added: 2 });
    expect(await imports.undone(first.id)).toMatchObject(counts(2, 0, 0));

    expect(await imports.imported(file)).toMatchObject({ added: 1, deleted: 1 });
    await api.sent({ action: 'delete', url: urlOf('a') });
    expect(await imports.imported(file)).toMatchObject({ added: 0, deleted: 2 });
  });

  it('gives the storage back', async () => {
    await api.saved(urlOf('own'));
    await app.database.query(`UPDATE items SET time_updated = 5 WHERE user_id = ${api.user.id}`);
    const stored = (): Promise<readonly object[]> =>
      app.database.query(`SELECT stored_bytes FROM lists WHERE user_id = ${api.user.id}`);
    const before = await stored();
    const job = await imports.imported(csv(['a', 5, 'x|y'], ['own', 1_600_000_000, 'more']));
    expect(job).toMatchObject({ added: 1, changed: 1 });
    await imports.undone(job.id);
    expect(await stored()).toEqual(before);
  });

  it('deletes the saved lists of the import, except those that the user has changed', async () => {
    const file = [
      'URL,Title,Selection,Folder,Timestamp',
      `${urlOf('a')},A,,One,5`,
      `${urlOf('b')},B,,Two,6`,
    ];
    const job = await imports.imported(file.join('\n'), { folders: 'lists' });
    const names = (): Promise<{ name: string }[]> =>
      app.database.query<{ name: string }>(
        `SELECT name FROM saved_lists WHERE user_id = ${api.user.id} AND deleted_at IS NULL ORDER BY name`,
      );
    expect((await names()).map(({ name }) => name)).toEqual(['One', 'Two']);
    await app.database.query(
      `UPDATE saved_lists SET is_pinned = true WHERE user_id = ${api.user.id} AND name = 'Two'`,
    );

    expect(await imports.undone(job.id)).toMatchObject(counts(2, 0, 0, 1));
    expect((await names()).map(({ name }) => name)).toEqual(['Two']);
  });
});

const answer = ({ status, body }: Response): string => `${status} ${body.error}`;

const NONE = '404 There is no such import.';
const TOO_LATE = expect.stringMatching(/^409 Only an import that has changed the list/) as string;
const UNFINISHED = expect.stringMatching(/^409 An import of yours is not finished/) as string;

describe('an undo is refused', () => {
  const refusal = async (id: string, at = imports): Promise<string> => answer(await at.undo(id));

  it('if the import is missing, belongs to another user, or has changed nothing', async () => {
    const job = await imports.imported(csv(['a', 5]));
    const stranger = new ImportApi(app, await ReadingListApi.of(app));
    expect(await refusal(job.id, stranger)).toBe(NONE);
    expect(await refusal('999999')).toBe(NONE);
    const again = await imports.imported(csv(['a', 5]));
    expect(await refusal(again.id)).toEqual(TOO_LATE);
    expect(await all()).toEqual(['a']);
  });

  it('a day after the end of the import', async () => {
    const job = await imports.imported(csv(['a', 5]));
    expect(job.undo_until).toBe(job.finished_at! + 86_400);
    await app.database.query(
      `UPDATE imports SET undo_until = now() - interval '1 second' WHERE id = ${job.id}`,
    );
    expect(await refusal(job.id)).toEqual(TOO_LATE);
    expect(await imports.find(job.id)).toMatchObject({ state: 'done' });
  });

  it('while another import is unfinished, and while the undo runs, an import is refused', async () => {
    const job = await imports.imported(csv(['a', 5]));
    await app.database.query(
      `INSERT INTO imports (user_id, file_name, restores_deleted, leased_until)
       VALUES (${api.user.id}, 'x', false, now() + interval '1 hour')`,
    );
    expect(await refusal(job.id)).toEqual(UNFINISHED);
    await app.database.query(
      `UPDATE imports SET state = 'undoing' WHERE user_id = ${api.user.id} AND finished_at IS NULL`,
    );
    expect(answer(await imports.upload(csv(['b', 5])))).toEqual(UNFINISHED);
    expect(await all()).toEqual(['a']);
  });
});

it('two undos at once are one undo, with one entry in the audit log', async () => {
  const job = await imports.imported(csv(['a', 5], ['b', 6]));
  const answers = await Promise.all([1, 2, 3, 4].map(() => imports.undo(job.id)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await imports.ended(job.id)).toMatchObject(counts(2, 0, 0));
  expect((await imports.undo(job.id)).body.import).toMatchObject(counts(2, 0, 0));
  const entries = await app.database.query(
    `SELECT actor, details FROM audit_entries WHERE user_id = ${api.user.id} AND kind = 'import_undone'`,
  );
  expect(entries).toEqual([{ actor: 'user', details: { name: 'saved.txt' } }]);
});
