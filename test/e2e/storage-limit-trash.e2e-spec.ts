import { shownStorage, STORAGE_LIMIT, topUpTo } from '../support/a-full-list.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NEW = 'https://new.example/';
const OLD = 'https://full.example/1';
const ARTICLE = `<title>Nets</title><article><p>${'They mend their nets in the morning. '.repeat(9)}</p></article>`;

let app: TestApp;
let lists: ListsOnPostgres;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp({ config: { storageLimitBytes: STORAGE_LIMIT, resolveWaitMs: 60_000 } });
  lists = await ListsOnPostgres.start(app.database);
});
afterAll(async () => {
  await lists.dataSource.destroy();
  await app.close();
});
afterEach(async () => {
  expect(await lists.faults(api.user.id)).toEqual([]);
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

describe('the trash and the storage limit', () => {
  let act: (action: string, itemId: string) => Promise<number>;

  beforeEach(async () => {
    const visitor = await aVisitor(app, api.user);
    const csrf = formIn(await visitor.open('/save').expect(200), '/save').fields;
    act = async (action, item) =>
      (await visitor.post('/list/actions', { ...csrf, action, item, back: '/list' })).status;
  });

  const noted = async (url: string, note: string, members = {}): Promise<string> => {
    const id = await api.saved(url, members);
    expect(await api.results({ action: 'set_note', url, note })).toEqual([true]);
    return id;
  };

  const trash = async (fields: object): Promise<number> => {
    const visitor = await aVisitor(app, api.user);
    const path = 'action' in fields ? '/list/trash' : '/list/trash/empty';
    const page = await visitor.open(path).expect(200);
    return (await visitor.submit(formIn(page, path), { ...fields })).status;
  };

  it('moves an item of a full list to the trash, where it counts the same, and restores it', async () => {
    const id = await noted(OLD, 'n'.repeat(9000), { html: ARTICLE });
    const annotation = { annotation_id: 'one', quote: 'nets', patch: 'nets' };
    await api.results({ action: 'add_annotation', url: OLD, annotation });
    await topUpTo(app, api, 50);
    const before = await api.item(id);
    const shown = await shownStorage(app, api);

    expect(await act('delete', id)).toBe(303);

    expect(await shownStorage(app, api)).toBe(shown);
    await api.add({ url: NEW }).expect(507);
    expect(await act('undo_delete', id)).toBe(303);
    expect(await api.item(id)).toMatchObject({ note: before?.note, resolved_title: 'Nets' });
    expect(await shownStorage(app, api)).toBe(shown);
    await api.add({ url: NEW }).expect(507);
  });

  it('stays full if an item is deleted twice', async () => {
    const id = await noted(OLD, 'n'.repeat(9000));
    await topUpTo(app, api, 50);
    expect(await act('delete', id)).toBe(303);

    expect(await act('delete', id)).toBe(303);

    await api.add({ url: NEW }).expect(507);
  });

  it('frees storage when an item is deleted from the trash, or the trash is emptied', async () => {
    const ids: string[] = [];
    for (const n of [1, 2]) {
      ids.push(await noted(`https://gone.example/${n}`, 'n'.repeat(7000)));
    }
    await topUpTo(app, api, 50);
    for (const id of ids) {
      expect(await act('delete', id)).toBe(303);
    }
    await api.add({ url: NEW }).expect(507);

    expect(await trash({ action: 'remove', 'item[]': ids[0] ?? '' })).toBe(303);
    await noted(NEW, 'n'.repeat(7000));
    await api.add({ url: 'https://more.example/' }).expect(507);
    expect(await lists.faults(api.user.id)).toEqual([]);
    expect(await trash({})).toBe(303);

    await noted('https://more.example/', 'n'.repeat(6000));
  });

  it('frees storage at once when a client deletes an item', async () => {
    const id = await noted(OLD, 'n'.repeat(9000));
    await topUpTo(app, api, 50);

    expect(await api.results({ action: 'delete', item_id: id })).toEqual([true]);

    await noted(NEW, 'n'.repeat(7000));
  });

  it('counts an item only once if it is deleted, saved again and deleted again', async () => {
    const id = await noted(OLD, 'n'.repeat(5000));
    expect(await act('delete', id)).toBe(303);
    await noted(OLD, 'n'.repeat(5000));
    expect(await lists.faults(api.user.id)).toEqual([]);

    expect(await act('delete', id)).toBe(303);

    expect(await shownStorage(app, api)).toMatch(/^6(\.\d)? KB of 20 KB$/);
  });

  it('has correct counters after deletions, restores and saves at the same time', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3, 4]) {
      ids.push(await noted(`https://busy.example/${n}`, 'n'.repeat(500)));
    }

    await Promise.all([
      ...ids.map((id) => act('delete', id)),
      ...ids.map((id) => act('undo_delete', id)),
      api.add({ url: 'https://busy.example/1' }),
    ]);

    expect(await lists.faults(api.user.id)).toEqual([]);
  });
});
