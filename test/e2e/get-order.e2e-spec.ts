import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import type { GetResponse } from '../../src/reading-list/get/get.presenter.js';
import type { ItemResponse } from '../../src/reading-list/get/item.presenter.js';
import {
  AN_HOUR_AGO,
  expectRefusal,
  listKeys,
  ReadingListApi,
} from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;

/** The last part of a path is the order of addition: 1 before 5. */
const LIST = [
  { url: 'https://b.example/1', title: 'banana' },
  { url: 'https://a.example/z/2', title: 'Cherry' },
  { url: 'https://www.c.example/3', title: 'apple' },
  { url: 'http://a.example/4', title: 'Élan' },
  { url: 'https://sub.a.example/5' },
];

const order = async (members: object): Promise<string[]> =>
  (await api.names(members)).map((name) => name.replace('z/', ''));

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  for (const [place, { url, title }] of LIST.entries()) {
    await api.saved(url, { title, time: 1_700_000_000 + place });
  }
});
afterAll(() => app.close());

describe('the parameter sort', () => {
  it.each([
    ['newest', '54321'],
    ['NEWEST', '54321'],
    ['oldest', '12345'],
    ['title', '31245'],
    ['site', '42135'],
    ['relevance', '54321'],
    ['longest', '54321'],
    ['shortest', '54321'],
    [undefined, '54321'],
    [null, '54321'],
    ['', '54321'],
  ])('%j sorts the items in the order %s', async (sort, pages) => {
    expect(await order({ sort })).toEqual([...pages]);
  });

  it('uses the time of addition, not the time of the call', async () => {
    const other = await ReadingListApi.of(app);
    await other.saved('https://example.com/late', { time: 1_600_000_000 });
    await other.saved('https://example.com/early', { time: 1_500_000_000 });

    expect(await other.names()).toEqual(['late', 'early']);
  });

  it.each(['up', 'newest,title', 1, [], {}])('%j is rejected', async (sort) => {
    const response = await api.get({ sort });

    expectRefusal(response, 400, 130);
    expect(response.body.error).toContain('sort');
  });

  it.each([
    ['newest', '531'],
    ['oldest', '135'],
    ['title', '315'],
    ['site', '135'],
  ])('%s applies to filtered items', async (sort, pages) => {
    const archived = ['https://a.example/z/2', 'http://a.example/4'];
    await api.sent(...archived.map((url) => ({ action: 'archive', url })));

    expect(await order({ sort, state: 'unread' })).toEqual([...pages]);
  });
});

describe('the list in the response body', () => {
  it.each(['newest', 'oldest', 'title', 'site'])(
    'contains the items in the order of %s',
    async (sort) => {
      const response = await api.get({ sort }).expect(200);

      const { list }: GetResponse = response.body;
      const items = Object.values(list) as ItemResponse[];
      const inOrder = items.sort((a, b) => a.sort_id - b.sort_id);
      expect(listKeys(response.text)).toEqual(inOrder.map(({ item_id }) => item_id));
      expect(inOrder.map(({ sort_id }) => sort_id)).toEqual([0, 1, 2, 3, 4]);
    },
  );

  it('numbers sort_id from 0 on every page', async () => {
    const items = await api.items({ count: 2, offset: 2 });

    expect(items.map(({ sort_id }) => sort_id)).toEqual([0, 1]);
  });

  it('is compact JSON', async () => {
    const { text } = await api.get({ count: 1 }).expect(200);

    expect(text).toBe(JSON.stringify(JSON.parse(text)));
  });
});

describe('the sort orders newest and oldest', () => {
  let classic: ReadingListApi;
  const urls = ['https://example.com/1', 'https://example.com/2', 'https://example.com/3'];

  beforeAll(async () => {
    classic = await ReadingListApi.of(app, { dialect: Dialect.Classic });
    for (const [place, url] of urls.entries()) {
      await classic.saved(url, { time: 1_700_000_000 + place });
    }
    // Favorited in the order 2, 3, 1, archived in the order 3, 1, 2.
    await classic.sent(
      ...[1, 2, 0].map((at, place) => ({
        action: 'favorite',
        url: urls[at],
        time: 1_700_000_100 + place,
      })),
      ...[2, 0, 1].map((at, place) => ({
        action: 'archive',
        url: urls[at],
        time: 1_700_000_200 + place,
      })),
    );
  });

  it.each([
    [{ favorite: 1 }, '132'],
    [{ favorite: 1, sort: 'oldest' }, '231'],
    [{ favorite: 1, state: 'archive' }, '132'],
    [{ state: 'archive' }, '213'],
    [{ state: 'archive', sort: 'oldest' }, '312'],
    [{}, '321'],
  ])('use the time of the filter %j in the classic dialect: %s', async (members, pages) => {
    expect(await classic.names(members)).toEqual([...pages]);
  });

  it('use the time of addition for a delta in the classic dialect', async () => {
    expect(await classic.names({ favorite: 1, since: AN_HOUR_AGO })).toEqual([...'321']);
  });

  it.each([{ favorite: 1 }, { state: 'archive' }])(
    'use the time of addition in the standard dialect with %j',
    async (members) => {
      const standard = await ReadingListApi.of(app, { user: classic.user });

      expect(await standard.names(members)).toEqual([...'321']);
    },
  );
});
