import { type ReadPage, readPage } from '../support/read-page.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

/** A page, named by its path. */
interface Saved {
  readonly title?: string;
  readonly tags?: string;
  /** Actions after the page was saved. */
  readonly then?: readonly ('archive' | 'favorite')[];
  readonly page?: ReadPage;
}

/** Sorted from the oldest to the newest. */
const LIST: Readonly<Record<string, Saved>> = {
  'https://news.example.com/a': { title: 'Alpha', tags: 'red' },
  'https://example.com/b': { title: 'Beta', tags: 'Red,blue', then: ['archive'] },
  'http://www.example.com/c': { title: 'Gamma', then: ['favorite'] },
  'https://other.org/d?q=50%25': {
    title: '100% sure',
    then: ['archive', 'favorite'],
    page: { is_article: 1 },
  },
  'https://other.org/e': { title: 'snake_case', page: { is_article: 1, has_video: 1 } },
  'https://other.org/f': { title: 'Back\\slash', tags: 'blue', page: { has_video: 2 } },
  'https://other.org/g': { then: ['archive'], page: { has_image: 2 } },
  'https://ample.com/h': { page: { is_article: 1, has_image: 1 } },
  'https://exämple.net:8080/i': {},
};

let app: TestApp;
let api: ReadingListApi;

async function save([url, saved]: [string, Saved], place: number): Promise<void> {
  const { title, tags, then = [], page } = saved;
  const itemId = await api.saved(url, { title, tags, time: 1_700_000_000 + place });
  await api.sent(...then.map((action) => ({ action, item_id: itemId })));
  if (page !== undefined) {
    await readPage(app, { userId: api.user.id, itemId, page });
  }
}

/** Returns the matching pages from the newest to the oldest. Compares the total, which is counted in another way. */
async function found(members: object): Promise<string> {
  const list = await api.names(members);
  const { total } = await api.found({ ...members, total: '1' });
  expect(total).toBe(String(list.length));
  return list.join('');
}

beforeAll(async () => {
  app = await aTestApp();
  api = await ReadingListApi.of(app);
  for (const [place, entry] of Object.entries(LIST).entries()) {
    await save(entry, place);
  }
});
afterAll(() => app.close());

describe('GET /v3/get with the parameter state', () => {
  it.each([
    ['unread', 'ihfeca'],
    ['queue', 'ihfeca'],
    ['Unread', 'ihfeca'],
    ['archive', 'gdb'],
    ['read', 'gdb'],
  ])('%j matches the items %s', async (state, pages) => {
    expect(await found({ state })).toBe(pages);
  });

  it.each(['all', undefined, null, '', ' '])('%j matches all items', async (state) => {
    expect(await api.names({ state })).toEqual([...'ihgfedcba']);
  });
});

describe('GET /v3/get with the parameter favorite', () => {
  it.each([
    [[1, '1', true, 'true'], 'dc'],
    [[0, '0', false, 'false'], 'ihgfeba'],
  ])('%j matches the items %s', async (spellings, pages) => {
    for (const favorite of spellings) {
      expect(await found({ favorite })).toBe(pages);
    }
  });

  it.each([undefined, null, ''])('%j matches all items', async (favorite) => {
    expect(await api.names({ favorite })).toHaveLength(9);
  });
});

describe('GET /v3/get with the parameter tag', () => {
  it.each([
    ['red', 'ba'],
    ['RED', 'ba'],
    [' blue ', 'fb'],
    ['purple', ''],
    ['re', ''],
    ['red,', 'ba'],
    ['red,blue', ''],
    ['_untagged_,red', ''],
    ['_untagged_', 'ihgedc'],
    ['_UNTAGGED_', 'ihgedc'],
  ])('%j matches the items %j', async (tag, pages) => {
    expect(await found({ tag })).toBe(pages);
  });
});

describe('GET /v3/get with the parameter contentType', () => {
  it.each([
    ['article', 'hed'],
    ['video', 'fe'],
    ['image', 'g'],
    ['Article', 'hed'],
  ])('%j matches the items %s', async (contentType, pages) => {
    expect(await found({ contentType })).toBe(pages);
  });

  it('"all" matches all items', async () => {
    expect(await api.names({ contentType: 'all' })).toHaveLength(9);
  });
});

describe('GET /v3/get with the parameter search', () => {
  it.each([
    ['Alpha', 'a'],
    ['aLPH', 'a'],
    ['example.com', 'cba'],
    ['other.org/e', 'e'],
    ['50%25', 'd'],
    ['100%', 'd'],
    ['%', 'd'],
    ['_', 'e'],
    ['e_c', 'e'],
    ['\\', 'f'],
    ["'", ''],
    ['a%z', ''],
    ['nothing like it', ''],
  ])('%j matches the items %j', async (search, pages) => {
    expect(await found({ search })).toBe(pages);
  });

  it('accepts 256 characters', async () => {
    expect(await found({ search: 'x'.repeat(256) })).toBe('');
  });
});

describe('GET /v3/get with the parameter domain', () => {
  it.each([
    ['example.com', 'cba'],
    ['EXAMPLE.com', 'cba'],
    ['www.example.com', 'cba'],
    ['.example.com', 'cba'],
    ['example.com.', 'cba'],
    ['https://example.com/', 'cba'],
    ['news.example.com', 'a'],
    ['ample.com', 'h'],
    ['exämple.net', 'i'],
    ['xn--exmple-cua.net', 'i'],
    ['xample.com', ''],
    ['example.co', ''],
  ])('%j matches the items %j', async (domain, pages) => {
    expect(await found({ domain })).toBe(pages);
  });
});

describe('GET /v3/get with several parameters', () => {
  it.each([
    [{ state: 'archive', favorite: 1 }, 'd'],
    [{ state: 'unread', tag: 'red' }, 'a'],
    [{ tag: '_untagged_', contentType: 'article' }, 'hed'],
    [{ tag: 'blue', contentType: 'video' }, 'f'],
    [{ favorite: '0', domain: 'example.com', state: 'archive' }, 'b'],
    [{ search: 'o', domain: 'other.org', state: 'unread' }, 'fe'],
    [{ search: 'example', tag: 'red', favorite: 0, state: 'unread', contentType: 'article' }, ''],
  ])('combines the parameters: %j matches the items %j', async (members, pages) => {
    expect(await found(members)).toBe(pages);
  });

  it('ignores unknown parameters', async () => {
    expect(await api.names({ order: 'x', username: 'x', shares: 1, state: 'archive' })).toEqual([
      ...'gdb',
    ]);
  });
});

describe('GET /v3/get with an invalid parameter', () => {
  it.each([
    ['state', ['foo', 'unread,archive', 1, true, [], {}, ['unread']]],
    ['favorite', [2, '2', -1, 'yes', 0.5, [], {}]],
    ['tag', [[], {}, ['red'], ',', 'x'.repeat(101), true]],
    ['contentType', ['pdf', 1, [], {}]],
    ['search', [[], {}, true, 'x'.repeat(257)]],
    ['domain', [[], {}, true, 'exa mple.com', '/', 'x'.repeat(301)]],
  ])('returns 400 and names the parameter: %s of %j', async (name, values) => {
    for (const value of values) {
      const response = await api.get({ [name]: value });

      expectRefusal(response, 400, 130);
      expect(response.body.error).toContain(name);
    }
  });
});

describe('GET /v3/get with the parameter url', () => {
  it.each([
    ['https://news.example.com/a', 'a'],
    ['http://www.news.example.com/a/?utm_source=feed#top', 'a'],
    ['other.org/d?q=50%25', 'd'],
    ['https://other.org/d', ''],
    ['https://other.org/', ''],
  ])('%j matches the items %j', async (url, pages) => {
    expect(await found({ url })).toBe(pages);
  });

  it('combines with other parameters and returns 400 for an invalid URL', async () => {
    expect(await found({ url: 'example.com/b', state: 'unread' })).toBe('');
    await api.get({ url: 'mailto:ada@example.com' }).expect(400);
  });
});
