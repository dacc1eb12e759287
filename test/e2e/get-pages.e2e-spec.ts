import { Dialect } from '../../src/auth/consumers/entities/consumer-key.entity.js';
import { AN_HOUR_AGO, expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const SIZE = 70;
const FIFTY = { maxCount: 50, defaultCount: null };
const ALL = { maxCount: 5000, defaultCount: 5000 };

let app: TestApp;
let api: ReadingListApi;
let classic: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  classic = await ReadingListApi.of(app, { dialect: Dialect.Classic, user: api.user });
  const pages = Array.from({ length: SIZE }, (_, at) => ({
    action: 'add',
    url: `https://example.com/${at}`,
    tags: at % 10 === 0 ? 'tenth' : undefined,
    time: 1_700_000_000 + at,
  }));
  await api.sent(...pages);
});
afterAll(() => app.close());

const sizeOf = async (client: ReadingListApi, members: object): Promise<number> =>
  (await client.items(members)).length;

describe('the parameter count of /v3/get', () => {
  it.each([
    [1, 1],
    ['7', 7],
    [29, 29],
    [30, 30],
    ['30', 30],
    [31, 30],
    [70, 30],
    [5000, 30],
    ['1000000', 30],
    [2 ** 53, 30],
    [undefined, 30],
    [null, 30],
    ['', 30],
  ])('%j returns %d items', async (count, size) => {
    expect(await sizeOf(api, { count })).toBe(size);
  });

  it('is limited to 30 for a delta too', async () => {
    expect(await sizeOf(api, { since: AN_HOUR_AGO })).toBe(30);
    expect(await sizeOf(api, { since: AN_HOUR_AGO, count: 5000 })).toBe(30);
  });

  it.each([0, '0', -1, '-1', 1.5, '1.5', '1e1', '0x1e', 'many', true, [], {}])(
    '%j is rejected',
    async (count) => {
      const response = await api.get({ count });

      expectRefusal(response, 400, 130);
      expect(response.body.error).toContain('count');
    },
  );
});

describe('the parameter count in the classic dialect', () => {
  it.each([
    [{}, 30],
    [{ count: 31 }, 31],
    [{ count: '5000' }, SIZE],
    [{ count: 9999 }, SIZE],
  ])('%j returns %d items', async (members, size) => {
    expect(await sizeOf(classic, members)).toBe(size);
  });

  it('defaults to the size of the whole delta', async () => {
    expect(await sizeOf(classic, { since: AN_HOUR_AGO })).toBe(SIZE);
    expect(await sizeOf(classic, { since: AN_HOUR_AGO, count: 10 })).toBe(10);
  });
});

describe('the parameter count with a consumer key that has its own page size', () => {
  const SIZES: [object, number, number][] = [
    [{}, 30, SIZE],
    [{ count: 10 }, 10, 10],
    [{ count: 60 }, 50, 60],
    [{ count: 9999 }, 50, SIZE],
    [{ since: AN_HOUR_AGO, count: 60 }, 50, 60],
    [{ offset: 30 }, 30, 40],
  ];

  it.each(SIZES)('%j returns %d items (max 50), %d (max 5000)', async (members, fifty, all) => {
    const [large, whole] = await Promise.all([
      ReadingListApi.of(app, { pageSize: FIFTY, user: api.user }),
      ReadingListApi.of(app, { pageSize: ALL, user: api.user }),
    ]);

    expect(await sizeOf(large, members)).toBe(fifty);
    expect(await sizeOf(whole, members)).toBe(all);
  });

  it('does not change the other rules of the dialect', async () => {
    const [standard, large] = await Promise.all([
      ReadingListApi.of(app, { pageSize: ALL }),
      ReadingListApi.of(app, {
        ...{ dialect: Dialect.Classic, pageSize: FIFTY, user: api.user },
      }),
    ]);

    expect((await standard.found()).status).toBe(1);
    expect(await sizeOf(large, {})).toBe(30);
    expect(await sizeOf(large, { since: AN_HOUR_AGO })).toBe(50);
    expect(await large.found({ offset: 70 })).toMatchObject({ status: 2 });
  });
});

describe('the parameter offset of /v3/get', () => {
  it.each([
    [{ offset: 0, count: 2 }, ['69', '68']],
    [{ offset: 2, count: 2 }, ['67', '66']],
    [{ offset: '68', count: '5' }, ['1', '0']],
    [{ offset: '', count: 1 }, ['69']],
    [{ offset: null, count: 1 }, ['69']],
    [{ offset: 1, count: 1, sort: 'oldest' }, ['1']],
    [{ offset: 1, count: 2, tag: 'tenth' }, ['50', '40']],
    [{ offset: 1, count: 2, search: 'example.com/1' }, ['18', '17']],
  ])('returns the items from the offset on for %j', async (members, names) => {
    expect(await api.names(members)).toEqual(names);
  });

  it('returns every item exactly once, page by page', async () => {
    const pages = await Promise.all([0, 30, 60].map((offset) => api.names({ offset, count: 30 })));

    expect(pages.map(({ length }) => length)).toEqual([30, 30, 10]);
    expect(new Set(pages.flat()).size).toBe(SIZE);
  });

  it.each([70, 71, 1000, 2 ** 31])('returns no items for %d, past the end', async (offset) => {
    const { text, body } = await api.get({ offset, total: 1, tag: 'tenth' }).expect(200);

    expect(text).toContain('"list":{}');
    expect(body).toMatchObject({ status: 1, total: '7' });
  });

  it('returns status 2 past the end in the classic dialect', async () => {
    expect(await classic.found({ offset: 70 })).toMatchObject({ status: 2, list: {} });
  });

  it('can be combined with since', async () => {
    expect(await api.names({ since: AN_HOUR_AGO, offset: 69 })).toEqual(['0']);
    expect(await api.names({ since: AN_HOUR_AGO, offset: 70 })).toEqual([]);
  });

  it.each([-1, '-1', 0.5, '1e3', 2 ** 31 + 1, '9223372036854775808', 'x', true, [], {}])(
    '%j is rejected',
    async (offset) => {
      const response = await api.get({ offset });

      expectRefusal(response, 400, 130);
      expect(response.body.error).toContain('offset');
    },
  );
});

describe('the parameter total of /v3/get', () => {
  const NARROWED: [object, string][] = [
    [{}, '70'],
    [{ state: 'unread' }, '70'],
    [{ state: 'archive' }, '0'],
    [{ tag: 'tenth' }, '7'],
    [{ tag: '_untagged_' }, '63'],
    [{ tag: 'tenth', state: 'unread' }, '7'],
    [{ search: 'example.com/1' }, '11'],
    [{ domain: 'example.com' }, '70'],
    [{ domain: 'example.org' }, '0'],
    [{ count: 3, offset: 60 }, '70'],
    [{ offset: 70 }, '70'],
  ];

  it.each(NARROWED)('counts the items that match %j: %j', async (members, total) => {
    expect((await api.found({ ...members, total: 1 })).total).toBe(total);
  });

  it('counts changed items if since is set', async () => {
    expect((await api.found({ since: AN_HOUR_AGO, total: 1 })).total).toBe('70');
    expect((await api.found({ since: AN_HOUR_AGO, total: 1, tag: 'tenth' })).total).toBe('7');
  });

  it.each([1, '1', true, 'true'])('returns the total as a string for %j', async (total) => {
    const { text } = await api.get({ total, state: 'unread' }).expect(200);

    expect(text).toContain('"total":"70"');
  });

  it.each([0, '0', false, 'false', '', null, undefined])('omits total for %j', async (total) => {
    expect(await api.found({ total })).not.toHaveProperty('total');
  });

  it.each([2, 'yes', -1, [], {}])('%j is rejected', async (total) => {
    expectRefusal(await api.get({ total }), 400, 130);
  });

  it('is 0 for a list that was never written to', async () => {
    const nobody = await ReadingListApi.of(app);

    expect(await nobody.found({ total: 1 })).toMatchObject({ total: '0', list: {} });
  });

  it('sets has_more and the total count of a search', async () => {
    const search = { search: 'example.com/1', total: 1, count: 5 };
    const meta = { search_type: 'normal', total_result_count: 11, count: 5 };

    const { search_meta: first } = await api.found({ ...search, offset: 5 });
    const { search_meta: last } = await api.found({ ...search, offset: 6 });

    expect(first).toEqual({ ...meta, offset: 5, has_more: true });
    expect(last).toEqual({ ...meta, offset: 6, has_more: false });
  });
});
