import { hash } from 'node:crypto';

import { ImportApi } from '../support/import-api.js';
import { aReader, undo, withMarked } from '../support/list-reader.js';
import { AN_HOUR_AGO, ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { idOf, savedBeforeRoutes } from '../support/saved-before-routes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';

const ROOT = 'https://app.example/';
const [FIRST, SECOND] = [`${ROOT}#/notes/1`, `${ROOT}#/notes/2`] as const;

let app: TestApp;
let api: ReadingListApi;
/** The item at FIRST, stored as before addresses included routes. */
let old: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  old = await savedBeforeRoutes(app, api, FIRST, { tags: 'old', time: 1_600_000_000 });
});

const items = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await api.items({ state: 'all' })).map(({ given_url: url, item_id: id }) => [url, id]),
  );

const changed = async (since: number): Promise<Record<string, string>> => {
  const { list } = await api.found({ since, state: 'all' });
  return Object.fromEntries(Object.entries(list).map(([id, { status }]) => [id, status]));
};

const exported = async (): Promise<string> =>
  (await new ImportApi(app, api).get('/v3/export?format=jsonl').expect(200)).text;

describe('an item with a route that was saved before addresses included routes', () => {
  it('keeps its id when it is added again, together with other routes and the root', async () => {
    expect(old).toBe(idOf(ROOT));
    expect(await api.saved(FIRST, { tags: 'again' })).toBe(old);
    expect(await api.saved(SECOND)).toBe(idOf(SECOND));
    const root = await api.saved(ROOT);

    expect(await items()).toEqual({ [FIRST]: old, [SECOND]: idOf(SECOND), [ROOT]: root });
    expect(new Set([old, idOf(SECOND), root]).size).toBe(3);
    expect(await api.saved(`${ROOT}#part`)).toBe(root);
    expect(await api.saved(FIRST)).toBe(old);
    expect(tagsOf(await api.item(old))).toEqual(['again', 'old']);
  });

  it('is changed by actions of one batch that name it by URL or by id', async () => {
    const results = await api.results(
      { action: 'add', url: ROOT, tags: 'root' },
      { action: 'tags_add', url: FIRST, tags: 'by url' },
      { action: 'tags_add', item_id: old, tags: 'by id' },
      { action: 'archive', url: SECOND },
      { action: 'delete', url: ROOT },
      { action: 'add', url: FIRST, tags: 'added' },
    );

    expect(results).toEqual([true, true, true, false, true, true]);
    expect(tagsOf(await api.item(old))).toEqual(['added', 'by id', 'by url', 'old']);
    expect(await items()).toEqual({ [FIRST]: old });
  });

  it('is the only item that /v3/get finds by its URL', async () => {
    const found = async (url: string): Promise<string[]> =>
      (await api.items({ url, state: 'all' })).map(({ item_id: id }) => id);

    expect(await found(FIRST)).toEqual([old]);
    expect(await found(ROOT)).toEqual([]);
    expect(await found(SECOND)).toEqual([]);
    const root = await api.saved(ROOT);
    expect([await found(FIRST), await found(ROOT)]).toEqual([[old], [root]]);
  });

  it('keeps its id when it is deleted and added again, and deltas report both', async () => {
    const { since } = await api.found({ state: 'all' });
    expect(await api.results({ action: 'delete', url: FIRST })).toEqual([true]);
    expect(await changed(since)).toEqual({ [old]: '2' });
    expect(await api.results({ action: 'delete', url: FIRST })).toEqual([true]);

    expect(await api.saved(FIRST)).toBe(old);

    expect(await changed(AN_HOUR_AGO)).toEqual({ [old]: '0' });
  });

  it('does not pass its id to another address when it is deleted', async () => {
    const root = await api.saved(ROOT);
    await api.results({ action: 'delete', item_id: old }, { action: 'delete', item_id: root });

    expect(await api.saved(ROOT)).toBe(root);
    expect(await api.saved(FIRST)).toBe(old);
    expect(await changed(AN_HOUR_AGO)).toEqual({ [root]: '0', [old]: '0' });
  });

  it('is restored with its id when the deletion is undone, together with the root', async () => {
    const reader = await aReader(app);
    const id = await savedBeforeRoutes(app, reader.api, FIRST, { tags: 'old' });
    const root = await reader.api.saved(ROOT, { tags: 'root' });
    const annotation = { annotation_id: `note-${id}`, quote: 'Said', patch: 'p' };
    await reader.api
      .send([
        { action: 'add_annotation', item_id: id, annotation },
        { action: 'archive', item_id: root, time: 1_700_000_000 },
      ])
      .expect(200);
    const everything = async (): Promise<object[]> =>
      (await reader.api.items({ state: 'all', detailType: 'complete', annotations: 1 })).map(
        (item) => ({ ...item, time_updated: '' }),
      );
    const before = await everything();

    const notice = await withMarked(reader, { action: 'delete', 'item[]': [id, root] });
    expect(await everything()).toHaveLength(3);
    await undo(reader, notice);

    expect(await everything()).toEqual(before);
  });

  it('is updated by a row of an import, and its highlights keep their ids', async () => {
    const imports = new ImportApi(app, api);
    const line = (url: string, quote: string): string =>
      JSON.stringify({ url, tags: ['new'], annotations: [{ quote, created_at: 1_600_000_000 }] });
    const derived = hash('sha256', `${old} 1600000000 Words`, 'base64url').slice(0, 32);
    await api.results({
      ...{ action: 'add_annotation', item_id: old, time: 1_600_000_000 },
      annotation: { annotation_id: derived, quote: 'Words', patch: '' },
    });
    await app.database.query(`UPDATE items SET imported_as_of = 0 WHERE user_id = $1`, [
      api.user.id,
    ]);

    const job = await imports.imported(
      ['{"satchel":1}', ...[FIRST, SECOND, ROOT].map((url) => line(url, 'Words'))].join('\n'),
    );

    expect(job).toMatchObject({ state: 'done', refused: 0 });
    expect(await imports.remarks(job.id)).toEqual([]);
    const found = await api.items({ detailType: 'complete', annotations: 1 });
    expect(
      Object.fromEntries(found.map((item) => [item.given_url, item.annotations?.length])),
    ).toEqual({ [FIRST]: 1, [SECOND]: 1, [ROOT]: 1 });
    const first = found.find(({ given_url: url }) => url === FIRST)!;
    expect([first.item_id, first.annotations![0]!.annotation_id]).toEqual([old, derived]);
    expect(tagsOf(first)).toEqual(['new', 'old']);
  });

  it('is not changed by an import of its own export', async () => {
    await api.saved(SECOND);
    await api.saved(ROOT);
    const [before, file] = [await api.items({ detailType: 'complete' }), await exported()];

    await new ImportApi(app, api).imported(file);

    expect(await api.items({ detailType: 'complete' })).toEqual(before);
  });

  it('stays deleted in an import without restore_deleted, which adds other routes and the root', async () => {
    await api.saved(SECOND, { time: 1_600_000_000 });
    const file = await exported();
    await api.results({ action: 'delete', url: FIRST }, { action: 'delete', url: SECOND });
    const other = JSON.stringify({ url: `${ROOT}#/notes/3`, time_added: 1_600_000_000 });
    const root = JSON.stringify({ url: ROOT, time_added: 1_600_000_000 });

    await new ImportApi(app, api).imported([file.trimEnd(), other, root].join('\n'));

    expect(Object.keys(await items()).sort()).toEqual([ROOT, `${ROOT}#/notes/3`]);
    await new ImportApi(app, api).imported(file, { restore_deleted: '1' });
    expect(await items()).toMatchObject({ [FIRST]: old, [SECOND]: idOf(SECOND) });
  });

  it('is found by clients of wallabag by its URL and by the hash of its URL', async () => {
    await app.database.query(
      `UPDATE items SET resolved_url = $1, resolved_id = 7, stamp = stamp + 1 WHERE user_id = $2`,
      [ROOT, api.user.id],
    );
    await app.database.query('UPDATE lists SET stamp = stamp + 1 WHERE user_id = $1', [
      api.user.id,
    ]);
    const calls = await WallabagCalls.of(app, { v3: api });
    const asked = async (query: object): Promise<unknown> =>
      (await calls.call('get', 'entries/exists', query as Record<string, unknown>, 'query')).body
        .exists as unknown;
    const known = async (url: string): Promise<unknown[]> => [
      await asked({ url }),
      await asked({ hashed_url: hash('sha1', url) }),
    ];

    expect(await known(FIRST)).toEqual([true, true]);
    expect(await known(ROOT)).toEqual([false, false]);
    expect(await known(SECOND)).toEqual([false, false]);
    const entry = await calls.saved({ url: FIRST, tags: 'wallabag' });
    expect([entry, tagsOf(await api.item(old))]).toMatchObject([
      { url: FIRST },
      ['old', 'wallabag'],
    ]);
    expect((await calls.saved({ url: ROOT })).id).not.toBe(entry.id);
    expect(await known(ROOT)).toEqual([true, true]);
    expect(await api.item(old)).toMatchObject({ resolved_url: FIRST, resolved_id: old });
  });
});
