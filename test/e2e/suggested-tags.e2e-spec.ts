import type { SuggestedTag } from '../../src/reading-list/list/tag.repository.js';
import { readPage } from '../support/read-page.js';
import { expectRefusal, ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const suggested = async (members: object, whose = api): Promise<SuggestedTag[]> => {
  const { body } = await whose.post('/v3/suggested_tags', members).expect(200);
  expect(body.status).toBe(1);
  return body.suggested_tags as SuggestedTag[];
};
const names = async (members: object, whose = api): Promise<string[]> =>
  (await suggested(members, whose)).map(({ tag }) => tag);

describe('the suggested tags of an item or URL', () => {
  it('are empty if no item has tags', async () => {
    const item = await api.saved('https://example.com/');

    expect(await suggested({ item_id: item })).toEqual([]);
  });

  it('are the tags of the same site, then tags in the title, then the most used tags', async () => {
    await api.saved('https://blog.example.com/1', { tags: 'site' });
    await api.saved('https://www.example.com/2', { tags: 'site' });
    await api.saved('https://other.org/1', { tags: 'often,Rust Book,seldom' });
    await api.saved('https://other.org/2', { tags: 'often' });
    await api.saved('https://third.org/', { tags: 'often' });
    const item = await api.saved('https://example.com/3', { title: '(The rust book)' });

    expect(await suggested({ item_id: item })).toEqual([
      { tag: 'site', score: 0.6667 },
      { tag: 'Rust Book', score: 0.3333 },
      { tag: 'often', score: 0.1 },
      { tag: 'seldom', score: 0.0333 },
    ]);
  });

  it('include tags in the title of the page', async () => {
    await api.saved('https://other.org/', { tags: 'a,z' });
    const itemId = await api.saved('https://example.com/');
    await readPage(app, { userId: api.user.id, itemId, page: { resolved_title: 'Z?' } });

    expect(await names({ item_id: itemId })).toEqual(['z', 'a']);
  });

  it('are scored by their share of the tagged items of the site', async () => {
    await api.saved('https://example.com/1', { tags: 'both,one' });
    await api.saved('https://example.com/2', { tags: 'both' });
    await api.saved('https://example.com/untagged');

    expect(await suggested({ url: 'https://example.com/new' })).toEqual([
      { tag: 'both', score: 0.7 },
      { tag: 'one', score: 0.35 },
    ]);
  });

  it('exclude the tags of the item, and are not derived from the item itself', async () => {
    await api.saved('https://other.org/', { tags: 'x' });
    const item = await api.saved('https://example.com/', { tags: 'own,Two' });

    expect(await suggested({ item_id: item })).toEqual([{ tag: 'x', score: 0.1 }]);
    expect(await names({ url: 'http://www.example.com' })).toEqual(['x']);
    await api.results({ action: 'tags_clear', item_id: item });
    expect(await names({ item_id: item })).toEqual(['x']);
  });

  it('are at most ten', async () => {
    const tags = Array.from({ length: 30 }, (_, n) => `t${n}`).join();
    await api.saved('https://other.org/', { tags });

    expect(await suggested({ url: 'https://example.com/' })).toHaveLength(10);
  });

  it('include only tags of the user', async () => {
    const other = await ReadingListApi.of(app);
    await other.saved('https://example.com/', { tags: 'theirs' });
    await api.saved('https://example.com/mine', { tags: 'mine' });

    expect(await names({ url: 'https://example.com/' })).toEqual(['mine']);
    expect(await names({ url: 'https://example.com/mine' }, other)).toEqual(['theirs']);
  });

  it.each(['https://8.8.8.8/x', 'http://localhost/x', 'https://example.co.uk/x', 'https://com/x'])(
    'are returned for the site of %s',
    async (url) => {
      await api.saved(url, { tags: 'here' });
      await api.saved('https://other.co.uk/', { tags: 'there' });

      expect(await names({ url: `${url}/y` })).toEqual(['here', 'there']);
    },
  );
});

describe('POST /v3/suggested_tags', () => {
  it('prefers item_id to url, and treats item_id 0 as missing', async () => {
    await api.saved('https://a.org/', { tags: 'a' });
    const b = await api.saved('https://b.org/', { tags: 'b' });
    const url = 'https://a.org/x';

    expect(await names({ item_id: Number(b), url })).toEqual(['a']);
    expect(await names({ item_id: '0', url })).toEqual(['a', 'b']);
  });

  it('returns the same 404 for an item of another user and an unknown item', async () => {
    const other = await ReadingListApi.of(app);
    const theirs = await other.saved('https://example.com/secret', { tags: 'theirs' });

    const answers = [
      await api.post('/v3/suggested_tags', { item_id: theirs }),
      await api.post('/v3/suggested_tags', { item_id: '1' }),
    ];

    answers.forEach((answer) => {
      expectRefusal(answer, 404, 198);
    });
    expect(answers[0]!.body).toEqual(answers[1]!.body);
  });

  it('returns 404 for a deleted item', async () => {
    const item = await api.saved('https://example.com/', { tags: 'x' });
    await api.results({ action: 'delete', item_id: item });

    expectRefusal(await api.post('/v3/suggested_tags', { item_id: item }), 404, 198);
  });

  it.each([{}, { item_id: '0' }, { item_id: 'x' }, { url: 'ftp://x' }, { url: 1 }, { url: {} }])(
    'returns 400 for %j',
    async (members) => {
      expectRefusal(await api.post('/v3/suggested_tags', members), 400, 130);
    },
  );
});
