import { tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { type Entry, labelsOf, WallabagCalls, WAYS } from '../support/wallabag-calls.js';

const [ONE, TWO, NONE] = ['one', 'two', 'none'].map((name) => `https://example.com/${name}`);

let app: TestApp;
let calls: WallabagCalls;
let entry: Entry;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  calls = await WallabagCalls.of(app);
  entry = await calls.saved({ url: ONE, tags: 'a,Big' });
  await calls.saved({ url: TWO, tags: 'a,c' });
});

const numberOf = (label: string): number | undefined =>
  entry.tags.find((tag) => tag.label === label)?.id;

/** Returns the tags of the items, keyed by item name. */
const tagged = async (): Promise<object> =>
  Object.fromEntries(
    (await calls.v3.items({ state: 'all', detailType: 'complete' })).map((item) => [
      item.given_url.slice(-3),
      tagsOf(item),
    ]),
  );

describe('the tags of an entry', () => {
  it.each(WAYS)('are added (%s)', async (way) => {
    const { body } = await calls
      .call('post', `entries/${entry.id}/tags`, { tags: ' A ,new one' }, way)
      .expect(200);

    expect(labelsOf(body as Entry)).toEqual(['a', 'big', 'new one']);
    expect((body as Entry).tags.find(({ label }) => label === 'a')?.id).toBe(numberOf('a'));
  });

  it('do not change if no tags or too many tags are sent', async () => {
    const add = (members: object) => calls.call('post', `entries/${entry.id}/tags`, { ...members });
    const tooMany = Array.from({ length: 49 }, (_, n) => `t${n}`);

    expect((await add({}).expect(200)).body).toEqual(entry);
    expect((await add({ tags: tooMany }).expect(400)).body.message).toMatch(/50 tags/);

    expect(await tagged()).toEqual({ one: ['Big', 'a'], two: ['a', 'c'] });
  });

  it('can be removed by number, also twice', async () => {
    const path = `entries/${entry.id}/tags/${numberOf('big')}`;
    await calls.v3.sent({ action: 'tags_add', url: TWO, tags: 'big' });

    const first = await calls.call('delete', path).expect(200);
    const again = await calls.call('delete', path).expect(200);

    expect(labelsOf(first.body as Entry)).toEqual(['a']);
    expect(again.body).toEqual(first.body);
    for (const unknown of ['999', 'x', '0', String(2 ** 31)]) {
      await calls.call('delete', `entries/${entry.id}/tags/${unknown}`).expect(404);
    }
  });
});

describe('a tag that is removed from all entries', () => {
  it.each(WAYS)('is removed by its label and returned (%s)', async (way) => {
    const { body } = await calls.call('delete', 'tag/label', { tag: 'BIG' }, way).expect(200);

    expect(body).toEqual({ id: numberOf('big'), label: 'big', slug: 't:big' });
    expect(await tagged()).toEqual({ one: ['a'], two: ['a', 'c'] });
    await calls.call('delete', 'tag/label', { tag: 'big' }, way).expect(404);
    await calls.call('delete', 'tag/label', { tag: 'a,c' }, way).expect(400);
    await calls.call('delete', 'tag/label', {}, way).expect(400);
  });

  it.each(WAYS)('can be removed together with other tags (%s)', async (way) => {
    const { body } = await calls.call('delete', 'tags/label', { tags: 'A,c,x' }, way).expect(200);

    expect((body as { label: string }[]).map(({ label }) => label).sort()).toEqual(['a', 'c']);
    expect(await tagged()).toEqual({ one: ['Big'], two: [] });
    await calls.call('delete', 'tags/label', { tags: 'a,c' }, way).expect(404);
  });

  it('can be removed by its number', async () => {
    const { body } = await calls.call('delete', `tags/${numberOf('a')}`).expect(200);

    expect(body).toEqual({ id: numberOf('a'), label: 'a', slug: 't:a' });
    expect(await tagged()).toEqual({ one: ['Big'], two: ['c'] });
    await calls.call('delete', `tags/${numberOf('a')}`).expect(404);
  });
});

describe('several entries in one call', () => {
  const [NEW, BAD] = ['https://example.com/new', 'no url'];

  it.each(WAYS)('are saved (%s)', async (way) => {
    const urls = [NEW, ONE, BAD];

    const { body } = await calls.call('post', 'entries/lists', { urls }, way).expect(200);

    expect(body).toEqual([
      { url: NEW, entry: expect.any(Number) },
      { url: ONE, entry: entry.id },
      { url: BAD, entry: false },
    ]);
    expect(await calls.v3.names({ sort: 'newest' })).toEqual(['new', 'two', 'one']);
  });

  it.each(WAYS)('are deleted (%s)', async (way) => {
    const urls = [ONE, NONE, BAD, `${ONE}/`];

    const { body } = await calls.call('delete', 'entries/list', { urls }, way).expect(200);

    expect(body).toEqual([
      { url: ONE, entry: true },
      { url: NONE, entry: false },
      { url: BAD, entry: false },
      { url: `${ONE}/`, entry: true },
    ]);
    expect(await calls.v3.names()).toEqual(['two']);
  });

  it.each(WAYS)('get tags and lose tags (%s)', async (way) => {
    const list = [
      { url: ONE, tags: 'x,y' },
      { url: NONE, tags: 'x' },
      { url: BAD, tags: 'x' },
      { url: TWO, tags: ['x', 'c'] },
    ];
    const numbers = [entry.id, false, false, expect.any(Number)];
    const answer = list.map(({ url }, at) => ({ url, entry: numbers[at] }));

    const added = await calls.call('post', 'entries/tags/lists', { list }, way).expect(200);
    expect(added.body).toEqual(answer);
    expect(await tagged()).toEqual({ one: ['Big', 'a', 'x', 'y'], two: ['a', 'c', 'x'] });

    const removed = await calls.call('delete', 'entries/tags/list', { list }, way).expect(200);
    expect(removed.body).toEqual(answer);
    expect(await tagged()).toEqual({ one: ['Big', 'a'], two: ['a'] });
  });

  it.each([
    ['post', 'entries/lists', { urls: '["' }],
    ['post', 'entries/lists', { urls: '{}' }],
    ['post', 'entries/lists', { urls: [1] }],
    ['post', 'entries/lists', {}],
    ['post', 'entries/lists', { urls: JSON.stringify([NEW, `${NEW}/\0`]) }],
    ['post', 'entries/lists', { urls: JSON.stringify([NEW, `${NEW}/\ud800`]) }],
    ['post', 'entries/lists', { urls: Array.from({ length: 11 }, (_, n) => `${NONE}/${n}`) }],
    ['delete', 'entries/list', { urls: Array.from({ length: 101 }, () => ONE) }],
    ['delete', 'entries/list', { urls: 'x' }],
    ['post', 'entries/tags/lists', { list: '[1]' }],
    ['post', 'entries/tags/lists', { list: [{ tags: 'x' }] }],
    ['post', 'entries/tags/lists', { list: [{ url: ONE, tags: 'x'.repeat(101) }] }],
    ['post', 'entries/tags/lists', { list: JSON.stringify([{ url: ONE, tags: 'x\ud800' }]) }],
    ['delete', 'entries/tags/list', { list: 'null' }],
  ] as const)('are not changed if the call is invalid: %s %s (%#)', async (...call) => {
    const [method, path, members] = call;
    const before = await calls.everything();

    const { body } = await calls.call(method, path, { ...members }).expect(400);

    expect(body).toMatchObject({ code: 400, error: 'invalid_request' });
    expect(await calls.everything()).toEqual(before);
  });

  it('get no tags if one of them would have too many', async () => {
    const tags = Array.from({ length: 49 }, (_, n) => `t${n}`).join(',');
    const list = [
      { url: ONE, tags: 'x' },
      { url: TWO, tags },
    ];

    await calls.call('post', 'entries/tags/lists', { list }).expect(400);

    expect(await tagged()).toEqual({ one: ['Big', 'a'], two: ['a', 'c'] });
  });
});
