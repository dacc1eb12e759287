import { SavedLists } from '../../src/reading-list/saved-lists/saved-lists.service.js';
import { codeOf, listKeys, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  await api.sent(
    ...['b', 'c', 'a'].map((name, at) => ({
      ...{ action: 'add', url: `https://sea.example/${name}`, title: `Sea ${name}` },
      ...{ tags: `sea,${name}`, time: 1_700_000_000 + at },
    })),
    { action: 'add', url: 'https://land.example/d', title: 'Land d', tags: 'land', time: 1 },
  );
});

const saved = async (name: string, conditions: Record<string, string>): Promise<string> =>
  (await app.app.get(SavedLists).create(api.user.id, { name, conditions })).id;

/** Returns the names of the items in the order of the answer. */
async function names(members: object): Promise<string[]> {
  const { text, body } = await api.get(members).expect(200);
  return listKeys(text).map((id) => new URL(body.list[id].given_url as string).pathname.slice(1));
}

describe('list in /v3/get', () => {
  it('selects the items of a saved list in its order', async () => {
    await saved('By the sea', { tag: 'sea', sort: 'title' });

    expect(await names({ list: 'by the SEA' })).toEqual(['a', 'b', 'c']);
    expect(await names({ list: 'By the sea', sort: 'oldest' })).toEqual(['b', 'c', 'a']);
    expect(await names({ list: 'By the sea', count: 1, offset: 1 })).toEqual(['b']);
    expect(await api.found({ list: 'By the sea', total: 1, count: 1 })).toMatchObject({
      total: '3',
    });
  });

  it('uses the order of the state of the list', async () => {
    await saved('Read', { state: 'archive' });
    await api.sent(
      { action: 'archive', url: 'https://sea.example/a', time: 1_700_000_010 },
      { action: 'archive', url: 'https://sea.example/c', time: 1_700_000_020 },
      { action: 'archive', url: 'https://sea.example/b', time: 1_700_000_015 },
    );

    expect(await names({ list: 'Read' })).toEqual(['c', 'b', 'a']);
    expect(await names({ list: 'Read', sort: 'newest' })).toEqual(['a', 'c', 'b']);
  });

  it.each([
    [{ state: 'archive' }, []],
    [{ state: 'all' }, ['a', 'c', 'b']],
    [{ domain: 'example' }, ['a', 'c', 'b']],
    [{ domain: 'www.sea.example' }, ['a', 'c', 'b']],
    [{ domain: 'land.example' }, []],
    [{ search: 'Sea c' }, ['c']],
    [{ tag: 'land' }, []],
    [{ tag: '_untagged_' }, []],
    [{ item: '1' }, []],
    [{ favorite: 1 }, []],
    [{ annotations: 1, search: 'a b' }, ['b']],
  ])('is narrowed by %j', async (narrowing, found) => {
    await saved('Sea', { state: 'unread', tag: 'sea', site: 'sea.example' });

    expect(await names({ list: 'Sea', ...narrowing })).toEqual(found);
  });

  it('has all tags of the list and of the call', async () => {
    await api.sent({ action: 'add', url: 'https://land.example/e', tags: 'land,sea', time: 2 });
    await saved('Sea', { tag: 'sea', sort: 'title' });
    await saved('Both', { tag: 'sea, land' });
    await saved('Some', { anytag: 'a, b' });

    expect(await names({ list: 'Sea', tag: 'land' })).toEqual(['e']);
    expect(await names({ list: 'Sea', tag: 'SEA' })).toEqual(['e', 'a', 'b', 'c']);
    expect(await names({ list: 'Both', tag: 'a' })).toEqual([]);
    expect(await names({ list: 'Both', tag: 'land' })).toEqual(['e']);
    expect(await names({ list: 'Some', tag: 'b' })).toEqual(['b']);
    expect(await names({ list: 'Some', tag: '_untagged_' })).toEqual([]);
  });

  it('does not contain items of the other state', async () => {
    await saved('Favorites', { state: 'favorites' });
    await saved('Archive', { state: 'archive' });
    await api.sent({ action: 'archive', url: 'https://sea.example/a' });

    expect(await names({ list: 'Archive', state: 'unread' })).toEqual([]);
    expect(await names({ list: 'Favorites', favorite: 0 })).toEqual([]);
    expect(await names({ list: 'Archive', tag: 'sea' })).toEqual(['a']);
  });

  it('contains the changes of the list after since', async () => {
    await saved('Sea', { tag: 'sea', sort: 'title' });
    const { since } = await api.found({ list: 'Sea' });
    await api.sent(
      { action: 'favorite', url: 'https://sea.example/c' },
      { action: 'favorite', url: 'https://land.example/d' },
      { action: 'delete', url: 'https://sea.example/b' },
    );

    const delta = await api.found({ list: 'Sea', since, detailType: 'complete', annotations: 1 });

    expect(delta.complete).toBe(0);
    expect(Object.values(delta.list)).toEqual([
      expect.objectContaining({ given_url: 'https://sea.example/c', favorite: '1' }),
    ]);
  });

  it('shows other items as soon as the conditions of the list change', async () => {
    const id = await saved('Mine', { tag: 'sea' });
    await names({ list: 'Mine' });
    await app.app.get(SavedLists).edit(api.user.id, id, { conditions: { tag: 'land' } });

    expect(await names({ list: 'Mine' })).toEqual(['d']);
  });

  it('shows the progress in an article although the list has not changed', async () => {
    await saved('Started', { state: 'all', progress: 'started' });
    expect(await names({ list: 'Started' })).toEqual([]);

    await app.database.query(
      `INSERT INTO reading_positions (user_id, item_id, fraction, updated_at)
       SELECT user_id, item_id, 0.5, now() FROM items WHERE user_id = $1 AND given_url LIKE '%/a'`,
      [api.user.id],
    );

    expect(await names({ list: 'Started' })).toEqual(['a']);
  });

  it.each([
    ['an unknown name', { list: 'Nothing' }],
    ['a name that is not a text', { list: ['Sea'] }],
    ['a long name', { list: 'x'.repeat(201) }],
  ])('is an error for %s', async (_, members) => {
    const answer = await api.get(members);

    expect(codeOf(answer)).toBe('400/130');
    expect(answer.body.error).toContain('list ');
  });

  it('is an error if this version does not understand the conditions', async () => {
    await saved('Later', { tag: 'sea', mood: 'calm' });

    expect(codeOf(await api.get({ list: 'Later' }))).toBe('400/130');
  });

  it('does not find the list of another user, and no deleted list', async () => {
    const id = await saved('Mine', { tag: 'sea' });
    const other = await ReadingListApi.of(app);

    expect(codeOf(await other.get({ list: 'Mine' }))).toBe('400/130');
    await app.app.get(SavedLists).delete(api.user.id, id);
    expect(codeOf(await api.get({ list: 'Mine' }))).toBe('400/130');
    await app.app.get(SavedLists).restore(api.user.id, id);
    expect(await names({ list: 'Mine' })).toHaveLength(3);
  });
});
