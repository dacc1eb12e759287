import { Permission } from '../../src/auth/consumers/permission.js';
import { tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { type Entry, labelsOf, WallabagCalls, WAYS } from '../support/wallabag-calls.js';

const PAGE = 'https://example.com/garden?b=1';

let app: TestApp;
let calls: WallabagCalls;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  calls = await WallabagCalls.of(app);
});

describe('POST entries in the wallabag API', () => {
  it.each(WAYS)('saves the values that the client sends (%s)', async (way) => {
    const members = { url: PAGE, title: 'Mine', tags: 'Garden, two words', archive: 1, starred: 1 };

    const entry: Entry = (await calls.call('post', 'entries', members, way).expect(200)).body;

    expect(entry).toMatchObject({ title: 'Mine', url: PAGE, is_archived: 1, is_starred: 1 });
    expect(labelsOf(entry)).toEqual(['garden', 'two words']);
    const [item] = await calls.v3.items({ state: 'all', detailType: 'complete' });
    expect(item).toMatchObject({ ...{ given_url: PAGE, status: '1', favorite: '1' } });
    expect(item).toMatchObject({ given_title: 'Mine', resolved_title: 'Mine' });
    expect(tagsOf(item)).toEqual(['Garden', 'two words']);
  });

  it.each([
    [{ archive: '0', starred: false, tags: ['a', 'b,c'] }, [0, 0], ['a', 'b', 'c']],
    [{ archive: true, starred: '1', tags: null, title: null, content: null }, [1, 1], []],
    [{ archive: 'false', starred: 'true', tags: 7, origin_url: 'x', public: 1 }, [0, 1], ['7']],
    [{ language: {}, published_at: [1], authors: 'a,b', preview_picture: 'x' }, [0, 0], []],
  ])('accepts %j', async (members, flags, labels) => {
    const entry = await calls.saved({ url: 'example.com/bare', ...members });

    expect([entry.is_archived, entry.is_starred]).toEqual(flags);
    expect(labelsOf(entry)).toEqual(labels);
    expect(entry.title).not.toBe('null');
  });

  it.each(WAYS)(
    'adds tags to an existing entry, and changes other values only if they are sent (%s)',
    async (way) => {
      const first = await calls.saved({ url: PAGE, tags: 'a', archive: 1, title: 'Mine' });
      await calls.saved({ url: 'https://example.com/later' });
      const before = await calls.v3.names({ state: 'all', sort: 'newest' });

      const again = { url: 'http://www.example.com/garden/?b=1', tags: 'A,b' };
      const entry: Entry = (await calls.call('post', 'entries', again, way).expect(200)).body;

      const { id, created_at } = first;
      expect(entry).toMatchObject({ ...{ id, created_at, title: 'Mine' }, is_archived: 1 });
      expect(labelsOf(entry)).toEqual(['a', 'b']);
      expect(await calls.v3.names({ state: 'all', sort: 'newest' })).toEqual(before);
      expect(await calls.saved({ url: PAGE, archive: 0, starred: 1, title: 'New' })).toMatchObject({
        ...{ id, created_at, title: 'New', is_archived: 0, is_starred: 1 },
      });
    },
  );

  it('finds an existing entry by the resolved URL of its page', async () => {
    const { id } = await calls.saved({ url: 'https://short.example/x' });
    await app.database.query(
      `UPDATE items SET resolved_id = 9, resolved_url = 'https://long.example/page' WHERE number = ${id}
       AND user_id = (SELECT id FROM users WHERE email = '${calls.v3.user.email}')`,
    );

    expect((await calls.saved({ url: 'https://long.example/page', tags: 'a' })).id).toBe(id);
    expect(await calls.v3.items()).toHaveLength(1);
  });

  it('creates an entry with a new number if the previous entry was deleted', async () => {
    const { id } = await calls.saved({ url: PAGE });
    await calls.call('delete', `entries/${id}`).expect(200);

    expect((await calls.saved({ url: PAGE })).id).toBeGreaterThan(id);
  });

  it('creates one entry for several concurrent calls', async () => {
    const other = await WallabagCalls.of(app, { v3: calls.v3 });
    const members = (tag: string) => ({ url: PAGE, tags: tag });

    const saved = await Promise.all(
      ['a', 'b', 'c', 'd'].map((tag, n) => (n % 2 ? calls : other).saved(members(tag))),
    );

    expect(new Set(saved.map(({ id }) => id)).size).toBe(1);
    const [item, ...others] = await calls.v3.items({ detailType: 'complete' });
    expect([tagsOf(item), others]).toEqual([['a', 'b', 'c', 'd'], []]);
  });
});

describe('a rejected call of POST entries', () => {
  const tooMany = Array.from({ length: 51 }, (_, n) => `t${n}`).join(',');

  it.each([
    ['no url', {}, /url is missing/],
    ['a blank url', { url: ' ' }, /url is missing/],
    ['another scheme', { url: 'mailto:a@example.com' }, /url must be/],
    ['a number', { url: 7 }, /url must be/],
    ['a long url', { url: `https://example.com/${'a'.repeat(4096)}` }, /4096/],
    ['too many tags', { url: 'https://example.com/new', tags: tooMany }, /50 tags/],
    ['too many for what is there', { url: PAGE, tags: tooMany, title: 'Other' }, /50 tags/],
    ['a long tag', { url: PAGE, tags: 'x'.repeat(101), title: 'Other' }, /tags must be/],
    ['no flag', { url: PAGE, archive: 'perhaps', title: 'Other' }, /archive must be/],
  ])('returns the reason and changes nothing: %s', async (_, members, reason) => {
    await calls.saved({ url: PAGE, title: 'Mine', tags: 'a' });
    const before = await calls.everything();

    for (const way of ['json', 'form'] as const) {
      const { body } = await calls.call('post', 'entries', members, way).expect(400);
      expect(body.message).toMatch(reason);
    }

    expect(await calls.everything()).toEqual(before);
  });

  it('returns 403 without the permission to add', async () => {
    const reading = await WallabagCalls.of(app, {
      ...{ permissions: [Permission.Retrieve, Permission.Modify], v3: calls.v3 },
    });

    const { body } = await reading.call('post', 'entries', { url: PAGE }).expect(403);

    expect(body).toMatchObject({ code: 403, error: 'forbidden' });
    await reading.call('post', 'entries/lists', { urls: [PAGE] }).expect(403);
    expect(await calls.v3.items()).toEqual([]);
  });
});
