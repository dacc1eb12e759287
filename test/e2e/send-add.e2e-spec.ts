import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { readPage } from '../support/read-page.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const PAGE = 'https://example.com/page?a=1&b=2';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

/** Sends only this action. Returns the single item in the list afterwards. */
const itemAfter = async (members: object) => {
  expect(await api.results({ action: 'add', ...members })).toEqual([true]);
  const [item, ...others] = await api.items({ detailType: 'complete' });
  expect(others).toEqual([]);
  return item!;
};

describe('the action add', () => {
  it('saves a URL as unread with the current time', async () => {
    const before = Math.floor(Date.now() / 1000);

    const item = await itemAfter({ url: PAGE });

    expect(item).toMatchObject({ given_url: PAGE, status: '0', favorite: '0', given_title: '' });
    expect(Number(item.time_added)).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ['one, two ', ['one', 'two']],
    [
      ['one', 'two'],
      ['one', 'two'],
    ],
    ['', []],
    [null, []],
    [[], []],
  ])('accepts the tags %j', async (tags, names) => {
    expect(tagsOf(await itemAfter({ url: PAGE, tags }))).toEqual(names);
  });

  it.each([
    ['A title', 'A title'],
    [' A title ', 'A title'],
    ['null', ''],
    ['', ''],
    [null, ''],
    [undefined, ''],
    ['x'.repeat(1001), 'x'.repeat(1000)],
  ])('accepts the title %j', async (title, given) => {
    expect((await itemAfter({ url: PAGE, title })).given_title).toBe(given);
  });

  it.each([1_650_000_000, '1650000000', 1_650_000_000_999])('accepts the time %j', async (time) => {
    expect((await itemAfter({ url: PAGE, time })).time_added).toBe('1650000000');
  });

  it.each([{ ref_id: 20 }, { ref_id: '20' }, { tweet_id: '20' }, { status_ref_id: '20' }])(
    'accepts the additional parameter %j',
    async (reference) => {
      expect((await itemAfter({ url: PAGE, ...reference })).given_url).toBe(PAGE);
    },
  );

  it.each([0, '0', '', null, '1', 1, 4_503_599_627_370_496])(
    'uses the URL and ignores the item_id %j',
    async (item_id) => {
      expect((await itemAfter({ url: PAGE, item_id })).given_url).toBe(PAGE);
    },
  );

  it.each([
    ['string', (id: string) => id],
    ['number', (id: string) => Number(id)],
  ])('makes an archived item unread by its item_id as a %s', async (_type, spell) => {
    const itemId = await api.saved(PAGE, { time: 1_500_000_000, title: 'Kept', tags: 'kept' });
    await api.sent({ action: 'archive', item_id: itemId });

    const item = await itemAfter({ item_id: spell(itemId), time: 1_650_000_000, tags: 'new' });

    expect(item).toMatchObject({ status: '0', given_title: 'Kept', time_added: '1650000000' });
    expect(tagsOf(item)).toEqual(['kept', 'new']);
  });

  it('saves many URLs in one batch with their own times', async () => {
    const urls = Array.from({ length: 50 }, (_, at) => `https://example.com/${at}`);

    const { status, action_results } = await api.sent(
      ...urls.map((url, at) => ({ action: 'add', url, time: 1_600_000_000 + at })),
    );

    expect([status, action_results]).toEqual([1, urls.map(() => true)]);
    expect(await api.names({ sort: 'oldest', count: 3 })).toEqual(['0', '1', '2']);
    expect((await api.found({ total: 1, state: 'unread' })).total).toBe('50');
  });

  it('accepts at most 50 tags on one item', async () => {
    const tags = Array.from({ length: 50 }, (_, at) => `t${at}`);

    expect(await api.results({ action: 'add', url: PAGE, tags: [...tags, 'more'] })).toEqual([
      false,
    ]);
    expect(tagsOf(await itemAfter({ url: PAGE, tags }))).toHaveLength(50);
    expect(await api.results({ action: 'add', url: PAGE, tags: 'more' })).toEqual([false]);
    expect(tagsOf((await api.items({ tags: 1 }))[0])).toHaveLength(50);
  });
});

describe('the title of the action add', () => {
  it.each([
    ['send', ['mine', 'other']],
    ['add', ['other', 'mine']],
  ])('replaces the title of the page in /v3/send but not in /v3/add: %s', async (way, order) => {
    const itemId = await api.saved('https://example.com/mine');
    const page = { resolved_title: 'Zebra' };
    await readPage(app, { userId: api.user.id, itemId, page });
    await api.saved('https://example.com/other', { title: 'Monkey' });

    const saving = { url: 'https://example.com/mine', title: 'Ant' };
    await (way === 'add' ? api.add(saving) : api.send([{ action: 'add', ...saving }])).expect(200);

    expect(await api.names({ sort: 'title' })).toEqual(order);
    expect(await api.names({ search: 'ant' })).toEqual(['mine']);
    expect(await api.item(itemId)).toMatchObject({ given_title: 'Ant' });
  });
});

describe('the result of the action add', () => {
  it('is true in the standard dialect', async () => {
    expect(await api.sent({ action: 'add', url: PAGE })).toEqual({
      status: 1,
      action_results: [true],
      action_errors: [null],
    });
  });

  it.each(['add', 'readd'])('is the item in the classic dialect: %s', async (action) => {
    const classic = await ReadingListApi.of(app, { dialect: Dialect.Classic });
    const { body } = await classic.add({ url: PAGE, title: 'Page' }).expect(200);
    const { item_id: item } = body.item;
    await classic.sent({ action: 'archive', item_id: item });

    const { action_results, action_errors } = await classic.sent(
      { action, item_id: item },
      { action: 'favorite', item_id: item },
    );

    expect(action_results).toEqual([body.item, true]);
    expect(action_errors).toEqual([null, null]);
  });
});
