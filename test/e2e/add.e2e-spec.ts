import request from 'supertest';

import { expectRefusal, ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const URL_TO_ADD = 'https://example.com/page?a=1&b=2';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

describe('the parameter url of /v3/add', () => {
  it.each([
    ['https://example.com/', 'https://example.com/'],
    ['http://example.com/a?b=c&d=e#f', 'http://example.com/a?b=c&d=e#f'],
    ['HTTPS://EXAMPLE.com/A', 'HTTPS://EXAMPLE.com/A'],
    ['example.com/x', 'example.com/x'],
    ['example.com:8080/x', 'example.com:8080/x'],
    ['  https://example.com/trimmed ', 'https://example.com/trimmed'],
    ['https://exämple.com/ä?ö=ü', 'https://exämple.com/ä?ö=ü'],
    ['http://127.0.0.1:9/private', 'http://127.0.0.1:9/private'],
    ['https://example.com/50%', 'https://example.com/50%'],
    [`https://example.com/${'x'.repeat(4076)}`, `https://example.com/${'x'.repeat(4076)}`],
  ])('stores %s as sent, without surrounding spaces', async (url, givenUrl) => {
    const itemId = await api.saved(url);

    expect(await api.item(itemId)).toMatchObject({ given_url: givenUrl, status: '0' });
  });

  it.each([undefined, null, '', ' '])('is required: %j', async (url) => {
    const response = await api.add({ url });

    expectRefusal(response, 400, 130);
    expect(response.body.error).toBe('url is missing');
  });

  it.each([
    'ftp://example.com/',
    'mailto:ada@example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'tel:555',
    'about:blank',
    'http://',
    'https://exa mple.com/',
    'http://[::1',
    'not a url',
    '../../etc/passwd',
    `https://example.com/${'x'.repeat(4077)}`,
    1.5,
    1,
    true,
    [],
    ['https://example.com/'],
    { href: 'https://example.com/' },
  ])('is rejected, and nothing is saved: %j', async (url) => {
    const response = await api.add({ url });

    expectRefusal(response, 400, 130);
    expect(response.body.error).toContain('url');
    expect(await api.items()).toEqual([]);
  });

  it('needs no encoding in addition to form encoding', async () => {
    await request(app.url)
      .post('/v3/add')
      .type('form')
      .send({ ...api.credentials, url: URL_TO_ADD, title: 'Q? & A=100%' })
      .expect(200);

    const [item] = await api.items();
    expect(item).toMatchObject({ given_url: URL_TO_ADD, given_title: 'Q? & A=100%' });
  });
});

describe('the parameter title of /v3/add', () => {
  it.each([
    ['A title', 'A title'],
    ['  trimmed ', 'trimmed'],
    ['<b>&amp;</b>', '<b>&amp;</b>'],
    [2020, '2020'],
    ['x'.repeat(1001), 'x'.repeat(1000)],
    ['👩‍👩‍👧‍👦 é', '👩‍👩‍👧‍👦 é'],
  ])('sets given_title from %j', async (title, given) => {
    const itemId = await api.saved(URL_TO_ADD, { title });

    expect(await api.item(itemId)).toMatchObject({ given_title: given, resolved_title: given });
  });

  it.each([undefined, null, ''])('is stored as empty for %j', async (title) => {
    const itemId = await api.saved(URL_TO_ADD, { title });

    expect(await api.item(itemId)).toMatchObject({ given_title: '', resolved_title: URL_TO_ADD });
  });

  it.each([[[]], [{}], [true]])('is rejected for %j', async (title) => {
    expectRefusal(await api.add({ url: URL_TO_ADD, title }), 400, 130);
  });
});

describe('the parameter tags of /v3/add', () => {
  it.each([
    ['one', ['one']],
    ['one,two', ['one', 'two']],
    [
      [2024, 'x'],
      ['2024', 'x'],
    ],
    [' one , two words ,', ['one', 'two words']],
    ['a,A,a ', ['a']],
    [
      ['one', 'two'],
      ['one', 'two'],
    ],
    ['', []],
    [',', []],
    [null, []],
    [[], []],
    [undefined, []],
    ['x'.repeat(100), ['x'.repeat(100)]],
  ])('stores %j as the tags %j', async (tags, names) => {
    const itemId = await api.saved(URL_TO_ADD, { tags });

    expect(tagsOf(await api.item(itemId))).toEqual(names);
  });

  it.each([true, {}, [true], [['a']], 'x'.repeat(101), '_untagged_', '\u200b', ['a,b']])(
    'is rejected for %j, and nothing is saved',
    async (tags) => {
      const response = await api.add({ url: URL_TO_ADD, tags });

      expectRefusal(response, 400, 130);
      expect(response.body.error).toContain('tags');
      expect(await api.items()).toEqual([]);
    },
  );

  it('accepts at most 50 tags', async () => {
    const names = Array.from({ length: 51 }, (_, at) => `tag${at}`);

    expectRefusal(await api.add({ url: URL_TO_ADD, tags: names }), 400, 130);
    expect(await api.items()).toEqual([]);
    const itemId = await api.saved(URL_TO_ADD, { tags: names.slice(1).join(',') });
    expect(tagsOf(await api.item(itemId))).toHaveLength(50);
  });
});

describe('the parameter time of /v3/add', () => {
  it.each([1_700_000_000, '1700000000', 1_700_000_000_123, '1700000000123'])(
    'sets time_added from %j',
    async (time) => {
      const itemId = await api.saved(URL_TO_ADD, { time });

      expect(await api.item(itemId)).toMatchObject({ time_added: '1700000000' });
    },
  );

  it.each([undefined, null, '', 0, '0'])('defaults to the current time for %j', async (time) => {
    const before = Math.floor(Date.now() / 1000);

    const itemId = await api.saved(URL_TO_ADD, { time });

    const { time_added: added } = (await api.item(itemId))!;
    expect(Number(added)).toBeGreaterThanOrEqual(before);
    expect(Number(added)).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('is limited to the current time', async () => {
    const itemId = await api.saved(URL_TO_ADD, { time: 4_000_000_000 });

    const { time_added: added } = (await api.item(itemId))!;
    expect(Number(added)).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it.each([-1, 'abc', '1e9', true, [], {}])('is rejected for %j', async (time) => {
    const response = await api.add({ url: URL_TO_ADD, time });

    expectRefusal(response, 400, 130);
    expect(response.body.error).toContain('time');
  });
});

describe('the parameter status_ref_id of /v3/add', () => {
  it.each(['status_ref_id', 'tweet_id', 'ref_id'])(
    'is accepted as %s, as a string or a number',
    async (name) => {
      await api.add({ url: URL_TO_ADD, [name]: '20' }).expect(200);
      await api.add({ url: URL_TO_ADD, [name]: 20 }).expect(200);
    },
  );

  it.each([[[]], [{}], [true], ['x'.repeat(201)]])('is rejected for %j', async (status_ref_id) => {
    const response = await api.add({ url: URL_TO_ADD, status_ref_id });

    expectRefusal(response, 400, 130);
    expect(response.body.error).toContain('status_ref_id');
  });
});

describe('other parameters of /v3/add', () => {
  it('are ignored', async () => {
    const others = { item_id: '1', status: 1, favorite: 1, resolved_title: 'x', user_id: '1' };

    const itemId = await api.saved(URL_TO_ADD, others);

    const item = { status: '0', favorite: '0', resolved_title: URL_TO_ADD };
    expect(itemId).not.toBe('1');
    expect(await api.item(itemId)).toMatchObject(item);
  });
});
