import { normalAddress } from '../../src/reading-list/list/address.js';
import { ListsOnPostgres, NOW } from '../support/a-list.js';

let lists: ListsOnPostgres;
let user: string;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
beforeEach(async () => {
  user = await lists.aUser();
});
afterEach(async () => {
  expect(await lists.faults(user)).toEqual([]);
});
afterAll(() => lists.stop());

const idOf = (url: string): string => normalAddress(url)!.itemId;
const itemsOf = (columns: string): Promise<object[]> =>
  lists.tables.query(`SELECT ${columns} FROM items WHERE user_id = $1 ORDER BY given_url`, [user]);
const stampOf = async (): Promise<number> => {
  const [list] = await lists.tables.query<{ stamp: string }>(
    `SELECT stamp FROM lists WHERE user_id = $1`,
    [user],
  );
  return Number(list?.stamp);
};

describe('the list in the database', () => {
  it('stores the first item with all its columns', async () => {
    const [added] = await lists.send(user, [
      {
        action: 'add',
        url: 'https://www.example.com/a/?utm_source=x',
        title: 'Ä "title"',
        tags: 'x,\\"y',
        time: NOW - 5,
      },
    ]);

    expect(added).toEqual({ ok: true, itemId: idOf('example.com/a') });
    expect(await itemsOf('*')).toMatchObject([
      {
        item_id: idOf('example.com/a'),
        status: 0,
        favorite: 0,
        time_added: String(NOW - 5),
        time_updated: String(NOW),
        time_read: '0',
        time_favorited: '0',
        given_url: 'https://www.example.com/a/?utm_source=x',
        given_title: 'Ä "title"',
        prefers_given_title: true,
        tags: ['x', '\\"y'],
        facet: 4,
        title_key: 'a "title"',
        url_key: 'example.com/a',
        search_text: 'ä "title"\nhttps://www.example.com/a/?utm_source=x',
      },
    ]);
  });

  it('returns the results of actions on missing items and tags', async () => {
    expect(
      await lists.results(user, [
        { action: 'archive', item_id: '7' },
        { action: 'tag_rename', old_tag: 'a', new_tag: 'b' },
        { action: 'tag_delete', tag: 'a' },
        { action: 'pv' },
        { action: 'nonsense' },
      ]),
    ).toEqual([false, false, true, true, false]);
    expect(await stampOf()).toBe(0);
  });

  it('gives a new version only to items that have changed', async () => {
    await lists.send(user, [
      { action: 'add', url: 'a.example' },
      { action: 'add', url: 'b.example' },
    ]);
    const before = await stampOf();

    await lists.send(user, [{ action: 'favorite', item_id: idOf('a.example') }]);

    const after = await stampOf();
    expect(after).toBeGreaterThan(before);
    expect(await itemsOf('stamp')).toEqual([{ stamp: String(after) }, { stamp: String(before) }]);
  });

  it.each([
    [{ action: 'readd', url: 'a.example' }],
    [{ action: 'unfavorite', url: 'a.example' }],
    [{ action: 'tags_add', url: 'a.example', tags: 'X' }],
    [{ action: 'tags_remove', url: 'a.example', tags: 'other' }],
    [{ action: 'tags_replace', url: 'a.example', tags: 'X' }],
    [{ action: 'tag_rename', old_tag: 'x', new_tag: 'x' }],
    [{ action: 'tag_delete', tag: 'other' }],
    [{ action: 'undo_delete', url: 'a.example' }],
    [{ action: 'undo_archive', url: 'a.example' }],
  ])('gives no new version to an action without effect: %j', async (action) => {
    await lists.send(user, [{ action: 'add', url: 'a.example', tags: 'x' }]);
    const before = await stampOf();

    expect(await lists.results(user, [action], NOW + 9)).toEqual([true]);

    expect(await stampOf()).toBe(before);
    expect(await itemsOf('time_updated, tags')).toEqual([
      { time_updated: String(NOW), tags: ['x'] },
    ]);
  });

  it('updates the version of the tags only if the set of tag names changes', async () => {
    const tagsStamp = async () =>
      (await lists.tables.query(`SELECT tags_stamp FROM lists WHERE user_id = $1`, [user]))[0]!
        .tags_stamp;
    await lists.send(user, [
      { action: 'add', url: 'a.example', tags: 'x' },
      { action: 'add', url: 'b.example' },
    ]);
    const begun = await tagsStamp();

    await lists.send(user, [{ action: 'tags_add', url: 'b.example', tags: 'x' }]);
    expect(await tagsStamp()).toBe(begun);
    await lists.send(user, [
      { action: 'tags_clear', url: 'a.example' },
      { action: 'tags_clear', url: 'b.example' },
    ]);

    expect(Number(await tagsStamp())).toBe(await stampOf());
  });

  it('deletes all data of a deleted item except its id', async () => {
    const secret = {
      action: 'add',
      url: 'https://secret.example/plan',
      title: 'Hush',
      tags: 'private',
    };
    await lists.send(user, [secret]);

    expect(await lists.results(user, [{ action: 'delete', item_id: idOf(secret.url) }])).toEqual([
      true,
    ]);

    expect(await lists.contents(user)).toMatchObject({
      items: [],
      itemTags: [],
      tags: [],
      search: [],
      tombstones: [{ item_id: idOf(secret.url) }],
    });
  });

  it('creates a new item when a deleted item is added again', async () => {
    await lists.send(user, [
      { action: 'add', url: 'a.example', title: 'Old', tags: 'x' },
      { action: 'favorite', url: 'a.example' },
    ]);
    await lists.tables.query(
      `UPDATE items SET resolved_title = 'Found', word_count = 9 WHERE user_id = $1`,
      [user],
    );

    await lists.send(user, [
      { action: 'delete', url: 'a.example' },
      { action: 'add', url: 'http://a.example/' },
    ]);

    expect(
      await itemsOf('item_id, favorite, given_title, resolved_title, word_count, tags'),
    ).toEqual([
      {
        item_id: idOf('a.example'),
        favorite: 0,
        given_title: '',
        resolved_title: '',
        word_count: 0,
        tags: [],
      },
    ]);
    expect(await lists.contents(user)).toMatchObject({ tombstones: [] });
  });

  it('keeps the data from the page when an item is added again', async () => {
    await lists.send(user, [{ action: 'add', url: 'a.example' }]);
    await lists.tables.query(
      `UPDATE items SET resolved_title = 'Found', is_article = 1, has_image = 2 WHERE user_id = $1`,
      [user],
    );
    await lists.tables.query(
      `UPDATE lists SET facet_counts[1] = 0, facet_counts[41] = 1, stored_bytes = NULL WHERE user_id = $1`,
      [user],
    );

    await lists.send(user, [{ action: 'add', url: 'https://a.example/#top', tags: 'x' }]);

    expect(await itemsOf('given_url, resolved_title, facet, title_key')).toEqual([
      {
        given_url: 'https://a.example/#top',
        resolved_title: 'Found',
        facet: 44,
        title_key: 'found',
      },
    ]);
  });

  it('gives the next id to a URL whose hash is taken', async () => {
    await lists.send(user, [{ action: 'add', url: 'a.example' }]);
    await lists.tables.query(`UPDATE items SET given_url = 'b.example' WHERE user_id = $1`, [user]);
    const next = String(BigInt(idOf('a.example')) + 1n);

    const [added] = await lists.send(user, [{ action: 'add', url: 'a.example', tags: 'x' }]);
    const [again] = await lists.send(user, [{ action: 'archive', url: 'https://a.example/' }]);

    expect(added).toEqual({ ok: true, itemId: next });
    expect(again).toEqual({ ok: true, itemId: next });
    expect(await itemsOf('item_id, status')).toEqual([
      { item_id: next, status: 1 },
      { item_id: idOf('a.example'), status: 0 },
    ]);
  });
});
