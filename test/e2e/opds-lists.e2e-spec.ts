import { SavedLists } from '../../src/reading-list/saved-lists/saved-lists.service.js';
import { CatalogueReader } from '../support/catalogue-reader.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;
let reader: CatalogueReader;
let lists: SavedLists;

beforeAll(async () => {
  app = await aTestApp();
  lists = app.app.get(SavedLists);
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  reader = await CatalogueReader.of(app, api.user);
});

const saved = async (
  name: string,
  conditions: Record<string, string>,
  isShelf = true,
): Promise<string> =>
  (await lists.create(api.user.id, { name, conditions, isShelf, isPinned: false, feed: null })).id;

const save = (...names: readonly string[]): Promise<unknown> =>
  api.sent(
    ...names.map((name) => ({
      ...{ action: 'add', url: `https://example.com/${name}`, title: name, tags: 'sea' },
    })),
  );

const pathOf = (name: string): string => `/opds/list?name=${encodeURIComponent(name)}`;

const titles = async (path: string): Promise<string[]> =>
  (await reader.feed(path)).entries.map(({ title }) => title);

describe('a saved list in the catalogue for e-readers', () => {
  it('follows the other parts of the start page', async () => {
    await saved('Hidden', { tag: 'sea' }, false);
    await saved('By the sea', { tag: 'sea' });
    await saved('Later', { tag: 'sea', mood: 'calm' });
    await saved('a/b & c', { state: 'archive' });

    const { entries } = await reader.feed('/opds');

    expect(entries.slice(4).map(({ title, href }) => [title, href])).toEqual([
      ['All', '/opds/all'],
      ['By the sea', '/opds/list?name=By%20the%20sea'],
      ['a/b & c', '/opds/list?name=a%2Fb%20%26%20c'],
      ['Tags', '/opds/tags'],
    ]);
  });

  it('contains its items in its order, page by page', async () => {
    const names = Array.from({ length: 31 }, (_, at) => `item ${String(at).padStart(2, '0')}`);
    await save(...names.toReversed());
    await saved('Sea', { tag: 'sea', sort: 'title' });

    const first = await reader.feed(pathOf('sea'));

    expect(first.entries.map(({ title }) => title)).toEqual(names.slice(0, 30));
    const next = first.links.find(({ rel }) => rel === 'next');
    expect(await titles(next!.href)).toEqual(names.slice(30));
  });

  it('finds words, and items that are not started', async () => {
    await save('heron', 'egret');
    await saved('Words', { search: 'heron', in: 'titles' });
    await saved('Best', { search: 'heron' });
    await saved('New', { progress: 'unstarted', sort: 'oldest' });

    expect(await titles(pathOf('Words'))).toEqual(['heron']);
    await reader.get(pathOf('Best')).expect(200);
    expect(await titles(pathOf('New'))).toEqual(['heron', 'egret']);
  });

  it('is 404 for others, and without the switch, the list or known conditions', async () => {
    await saved('Hidden', { tag: 'sea' }, false);
    await saved('Later', { tag: 'sea', mood: 'calm' });
    const id = await saved('Mine', { tag: 'sea' });
    const other = await CatalogueReader.of(app, (await ReadingListApi.of(app)).user);

    for (const name of ['Hidden', 'Later', 'Nothing', '', '\0']) {
      await reader.get(pathOf(name)).expect(404);
    }
    await other.get(pathOf('Mine')).expect(404);
    await reader.get(`${pathOf('Mine')}&after=nonsense`).expect(404);
    await reader.get(pathOf('Mine')).expect(200);
    await lists.edit(api.user.id, id, { isShelf: false });
    await reader.get(pathOf('Mine')).expect(404);
    await lists.edit(api.user.id, id, { isShelf: true });
    await lists.delete(api.user.id, id);
    await reader.get(pathOf('Mine')).expect(404);
    await lists.restore(api.user.id, id);
    await reader.get(pathOf('Mine')).expect(200);
  });
});
