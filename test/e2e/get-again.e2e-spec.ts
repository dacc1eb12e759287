import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import type { GetResponse } from '../../src/reading-list/get/get.presenter.js';
import { ItemCache } from '../../src/reading-list/get/item-cache.js';
import { ListReader } from '../../src/reading-list/get/list-reader.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const URL = 'https://example.com/page';
const ANNOTATION = {
  annotation_id: 'first',
  quote: 'a passage',
  patch: '',
  version: '2',
  created_at: '2026-01-01 00:00:00',
};

let app: TestApp;
/** Another instance without a response cache. */
let other: TestApp;
let api: ReadingListApi;
let item: string;

beforeAll(async () => {
  app = await aTestApp();
  const config = { ...app.config, answerCacheMegabytes: 0 };
  other = await aTestApp({ beside: { ...app, config } });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

beforeEach(async () => {
  api = await ReadingListApi.of(app);
  item = await api.saved(URL, { title: 'Given', tags: 'old' });
});

const QUESTIONS: readonly object[] = [
  {},
  { detailType: 'complete', total: 1, state: 'all', annotations: 1, forcetaglist: 1 },
];

/** Returns the answers to all questions, without the time. */
const answers = (of: ReadingListApi): Promise<object[]> =>
  Promise.all(
    QUESTIONS.map(async (question) => {
      const { since, ...others } = await of.found(question);
      expect(since).toBeGreaterThan(0);
      return others;
    }),
  );

describe('a repeated call of /v3/get', () => {
  it('returns the same response while nothing has changed', async () => {
    const before = await answers(api);

    expect(await answers(api)).toEqual(before);
    expect(await answers(api.at(other))).toEqual(before);
  });

  it.each([
    ['archive', {}],
    ['favorite', {}],
    ['delete', {}],
    ['tags_add', { tags: 'new' }],
    ['tags_clear', {}],
    ['tag_rename', { old_tag: 'old', new_tag: 'new' }],
    ['tag_delete', { tag: 'old' }],
    ['add', { url: 'https://example.com/another' }],
    ['add_annotation', { annotation: ANNOTATION }],
  ])('includes the changes of the action %s', async (action, members) => {
    const before = await answers(api);
    expect(await api.results({ action, item_id: item, ...members })).toEqual([true]);

    const after = await answers(api);
    expect(after[1]).not.toEqual(before[1]);
    expect(await answers(api.at(other))).toEqual(after);
  });

  it('includes the changes of another instance', async () => {
    await answers(api);
    await api.items();
    await api.at(other).results({ action: 'favorite', item_id: item });

    expect((await api.item(item))?.favorite).toBe('1');
    expect((await api.items())[0]?.favorite).toBe('1');
  });

  it('has a separate response for each user, consumer and set of parameters', async () => {
    const another = await ReadingListApi.of(app);
    await another.saved('https://example.com/other');
    const classic = await ReadingListApi.of(app, { dialect: Dialect.Classic, user: api.user });
    const ask = async (): Promise<unknown> => [
      await api.names(),
      await another.names(),
      await api.names({ state: 'archive' }),
      (await api.found({ state: 'archive' })).status,
      (await classic.found({ state: 'archive' })).status,
      Object.keys((await api.items())[0]?.tags ?? {}),
      Object.keys((await api.items({ detailType: 'complete' }))[0]?.tags ?? {}),
    ];

    const first = await ask();
    expect(first).toEqual([['page'], ['other'], [], 1, 2, [], ['old']]);
    expect(await ask()).toEqual(first);
  });

  it('returns a current since, whose delta is empty until an item changes', async () => {
    const first = await api.found();
    await app.database.query('UPDATE lists SET stamp = stamp - 1000 WHERE stamp = $1', [
      first.since,
    ]);
    await api.found();
    const { since } = await api.found();

    expect(Math.abs(Date.now() / 1000 - since)).toBeLessThan(100);
    expect(Object.keys((await delta(since)).list)).toEqual([]);
    await api.sent({ action: 'favorite', item_id: item });
    expect(Object.keys((await delta(since)).list)).toEqual([item]);
  });

  it('returns the cached response without reading the items', async () => {
    const before = await api.found();
    await app.database.query(
      `UPDATE items SET given_title = 'Behind the stamp' WHERE item_id = $1`,
      [item],
    );

    expect((await api.found()).list).toEqual(before.list);
    await api.sent({ action: 'favorite', item_id: item });
    expect((await api.items())[0]).toMatchObject({ given_title: 'Behind the stamp' });
  });
});

const delta = (since: number): Promise<GetResponse> => api.found({ since });

describe('all items of a list', () => {
  it('are read without the cache of items', async () => {
    const page = jest.spyOn(ItemCache.prototype, 'page');
    const { user } = await ReadingListApi.of(app);
    const reader = app.app.get(ListReader);

    await reader.page(user.id, { filter: {}, order: 'newest', page: { count: 1, offset: 0 } });
    await reader.rows(user.id, { filter: {}, order: 'newest' }).next();

    expect(page).toHaveBeenCalledTimes(1);
    page.mockRestore();
  });
});
