import {
  fillUpTo,
  FULL,
  FULL_ON_PAGES,
  incompressible,
  shownStorage,
  STORAGE_LIMIT,
  storedFor,
  topUpTo,
} from '../support/a-full-list.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { ImportApi } from '../support/import-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { formIn, shownText } from '../support/page-visitor.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';

const NEW = 'https://new.example/';
const OLD = 'https://full.example/1';
const ARTICLE = `<title>Nets</title><article><p>${'They mend their nets in the morning. '.repeat(9)}</p></article>`;

/** A wallabag export of one entry. */
const AN_ENTRY = {
  ...{ id: 1, url: 'https://import.example/0', title: 'A', content: '', tags: [], annotations: [] },
  ...{ is_archived: 0, is_starred: 0, created_at: '2020-01-01T00:00:00+00:00' },
};

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

describe('a page that is sent with /v3/add at the storage limit', () => {
  it('is rejected if its HTML does not fit, and nothing is stored', async () => {
    await fillUpTo(api, 4000);
    const before = await storedFor(app, api);

    await api.add({ url: NEW, html: `${ARTICLE}<!-- ${incompressible(6000)} -->` }).expect(507);

    expect(await storedFor(app, api)).toEqual(before);
  });

  it('counts only with its stored data after it is parsed', async () => {
    await api.add({ url: NEW, html: `${ARTICLE}<!-- ${incompressible(12_000)} -->` }).expect(200);

    const shown = await shownStorage(app, api);

    expect(shown).toMatch(/^2\.\d KB of 20 KB$/);
    expect((await api.items())[0]).toMatchObject({ resolved_title: 'Nets' });
    await fillUpTo(api, 4500);
    expect(parseFloat(await shownStorage(app, api))).toBeCloseTo(15.5 + parseFloat(shown), 0);
  });
});

describe('a client of wallabag at the storage limit', () => {
  let calls: WallabagCalls;
  let id: number;

  beforeEach(async () => {
    calls = await WallabagCalls.of(app, { v3: api });
    await fillUpTo(api, 5000);
    ({ id } = await calls.saved({ url: OLD }));
    await topUpTo(app, api, 100);
  });

  it.each([
    ['post', 'entries', { url: NEW }],
    ['post', 'entries', { url: NEW, content: '<p>Words.</p>' }],
    ['post', 'entries', { url: OLD, content: incompressible(900) }],
    ['post', 'entries', { url: OLD, tags: 'one' }],
    ['post', 'entries', { url: OLD, authors: 'Ada,Eve,Mallory' }],
    ['patch', 'entries/ID', { content: incompressible(900) }],
    ['patch', 'entries/ID', { title: 't'.repeat(200) }],
    ['post', 'entries/ID/tags', { tags: 'one' }],
    ['post', 'annotations/ID', { quote: 'Words', text: 'One' }],
    ['post', 'entries/lists', { urls: JSON.stringify([NEW]) }],
    ['post', 'entries/tags/lists', { list: JSON.stringify([{ url: OLD, tags: 'one' }]) }],
  ] as const)('gets 507 for %s %s, and nothing changes', async (method, path, members) => {
    const before = await storedFor(app, api);

    const { body } = await calls
      .call(
        method,
        path.replace('ID', String(id)),
        members,
        path.endsWith('lists') ? 'query' : 'json',
      )
      .expect(507);

    expect(body).toEqual({
      ...{ code: 507, message: 'Insufficient Storage' },
      ...{ error: 'insufficient_storage', error_description: FULL },
    });
    expect(await storedFor(app, api)).toEqual(before);
  });

  it('saves no page of a batch if the whole batch does not fit', async () => {
    await api.results({ action: 'set_note', url: 'https://full.example/2', note: '' });
    const before = await storedFor(app, api);
    const urls = JSON.stringify([1, 2, 3, 4, 5].map((n) => `${NEW}${n}`));

    await calls.call('post', 'entries/lists', { urls }, 'query').expect(507);

    expect(await storedFor(app, api)).toEqual(before);
  });

  it('saves authors with a correct storage count', async () => {
    await calls.call('delete', `entries/${id}`).expect(200);
    await shownStorage(app, api);

    await calls.saved({ url: NEW, authors: 'Ada' });

    expect(await lists.faults(api.user.id)).toEqual([]);
  });

  it('can still archive, save again and delete', async () => {
    await calls.call('patch', `entries/${id}`, { archive: 1, starred: 1 }).expect(200);
    await calls.saved({ url: OLD });
    await calls.call('delete', `entries/${id}`).expect(200);
    await calls.saved({ url: NEW });
  });
});

describe('an import at the storage limit', () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, n) => `https://import.example/${n}`).join('\n');

  it('imports the rows that fit, and reports a row error for each of the others', async () => {
    await fillUpTo(api, 3500);
    const imports = new ImportApi(app, api);

    const job = await imports.imported(lines(10));

    expect(job).toMatchObject({ state: 'done', added: 3, refused: 7, incomplete: 0 });
    const remarks = await imports.remarks(job.id);
    expect(remarks).toHaveLength(7);
    expect(remarks.every((row) => row.includes(FULL))).toBe(true);
    expect(await api.items()).toHaveLength(5);
  });

  it('rejects no rows that are already imported', async () => {
    const imports = new ImportApi(app, api);
    await imports.imported(lines(10));
    await topUpTo(app, api, 50);

    expect(await imports.imported(lines(10))).toMatchObject({ unchanged: 10, refused: 0 });
  });

  it('rejects a row of an existing item completely if its new data does not fit', async () => {
    const imports = new ImportApi(app, api);
    await imports.imported(lines(1));
    await fillUpTo(api, 1500);
    const before = await storedFor(app, api);
    const title = 'A title. '.repeat(60);

    const job = await imports.imported(
      `url,title,time_added,tags,status\nhttps://import.example/0,${title},1,one,archive\n`,
    );

    expect(job).toMatchObject({ state: 'done', changed: 0, refused: 1 });
    expect(await storedFor(app, api)).toEqual(before);
  });

  describe('of rows with more data than their item stores', () => {
    const [THEN, LATER] = ['2021-01-01T00:00:00+00:00', '2022-01-01T00:00:00+00:00'];
    const entry = (members: object): string => JSON.stringify([{ ...AN_ENTRY, ...members }]);

    it('does not count an older row that changes nothing', async () => {
      const imports = new ImportApi(app, api);
      const originUrl = `https://origin.example/${'o'.repeat(2000)}`;
      await imports.imported(entry({ origin_url: originUrl, updated_at: LATER }));

      const older = entry({ origin_url: 'https://origin.example/', updated_at: THEN });

      expect(await imports.imported(older)).toMatchObject({ unchanged: 1 });
      expect(await lists.faults(api.user.id)).toEqual([]);
    });

    it('counts a repeated highlight of a row only once', async () => {
      const annotations = Array.from({ length: 20 }, (_, n) => ({
        ...{ id: n, quote: `Words ${n % 5}`, text: '', ranges: [], created_at: THEN },
      }));

      const job = await new ImportApi(app, api).imported(entry({ annotations }));

      expect(job).toMatchObject({ added: 1 });
      expect(await shownStorage(app, api)).toMatch(/^3\.\d KB of 20 KB$/);
    });

    it('counts the bytes of a newer title, not its characters', async () => {
      const imports = new ImportApi(app, api);
      await imports.imported(entry({ title: 'a'.repeat(200), updated_at: THEN }));

      await imports.imported(entry({ title: '読'.repeat(200), updated_at: LATER }));

      expect(await shownStorage(app, api)).toBe('1.6 KB of 20 KB');
    });
  });
});

describe('the reader at the storage limit', () => {
  it('shows the form again with the reason if a page is not saved', async () => {
    await fillUpTo(api, 50);
    const before = await storedFor(app, api);
    const visitor = await aVisitor(app, api.user);
    const form = formIn(await visitor.open('/save').expect(200), '/save');

    const answer = await visitor.submit(form, { url: NEW }).expect(400);

    expect(shownText(answer)).toContain(FULL_ON_PAGES);
    expect(formIn(answer, '/save').fields['url']).toBe(NEW);
    expect(await storedFor(app, api)).toEqual(before);
  });

  it('rejects new highlights and notes, and still deletes highlights', async () => {
    const id = await api.saved(NEW, { html: ARTICLE });
    const visitor = await aVisitor(app, api.user);
    const path = `/read/${id}/highlights`;
    const mark = { quote: 'They mend their nets', note: '' };
    const form = formIn(await visitor.open(`/read/${id}`).expect(200), path);
    await visitor.submit(form, mark).expect(303);
    await fillUpTo(api, 7000);
    await topUpTo(app, api, 50);
    const before = await storedFor(app, api);

    const refused = await visitor.submit(form, { ...mark, quote: 'in the morning' }).expect(400);
    const [highlight = ''] = /(?<=highlight-)[0-9a-f-]{36}/.exec(refused.text) ?? [];
    const noted = await visitor
      .post(`${path}/note`, { ...form.fields, highlight, note: 'Why?' })
      .expect(507);

    expect([refused, noted].every((page) => shownText(page).includes(FULL_ON_PAGES))).toBe(true);
    expect(await storedFor(app, api)).toEqual(before);
    await visitor.post(`${path}/delete`, { ...form.fields, highlight }).expect(303);
  });
});
