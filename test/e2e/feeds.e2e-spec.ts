import request, { type Response, type Test } from 'supertest';

import { FeedsService } from '../../src/apis/feeds/feeds.service.js';
import { readAtom, type ReadEntry } from '../support/read-feed.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NOTHING = {
  ...{ statusCode: 404, error: 'Not Found', code: 'not_found' },
  message: 'There is nothing at this address.',
};

let app: TestApp;
let api: ReadingListApi;
let start: string;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  start = await madeAddress(api);
});

/** Creates a feed address. Returns `/feeds/TOKEN/`. */
async function madeAddress({ user }: ReadingListApi): Promise<string> {
  const feeds = app.app.get(FeedsService);
  await feeds.issue(user);
  return (await feeds.pathsOf(user.id))!.tags.replace(/tag\/$/, '');
}

const get = (path: string, headers: Record<string, string> = {}): Test =>
  request(app.url).get(path).set(headers);

/** Supertest treats unknown content types as binary. */
async function atom(file: string): Promise<ReturnType<typeof readAtom>> {
  const { body } = await get(`${start}${file}`).buffer(true).responseType('blob').expect(200);
  return readAtom((body as Buffer).toString());
}

const namesOf = (entries: readonly ReadEntry[]): string[] =>
  entries.map(({ links }) => new URL(links['alternate']!).pathname.slice(1));

const names = async (file: string): Promise<string[]> => namesOf((await atom(file)).entries);

/** The stable parts of an answer. Each 404 has a different request id and date. */
const shape = ({ status, body, headers }: Response): object => ({
  ...{ status, body: body as object },
  headers: Object.keys(headers).toSorted(),
  caching: headers['cache-control'],
});

describe('a feed', () => {
  it('contains the latest items of its list, newest first', async () => {
    const [first, second, third] = [
      await api.saved('https://example.com/1'),
      await api.saved('https://example.com/2', { tags: 'a,b' }),
      await api.saved('https://example.com/3', { tags: 'b' }),
    ];
    await api.saved('https://example.com/4');
    await api.results({ action: 'archive', item_id: third, time: '5' });
    await api.results({ action: 'archive', item_id: first, time: '9' });
    await api.results({ action: 'favorite', item_id: second, time: '5' });
    await api.results({ action: 'favorite', item_id: first, time: '9' });

    expect(await names('unread.atom')).toEqual(['4', '2']);
    expect(await names('archive.atom')).toEqual(['1', '3']);
    expect(await names('favorites.atom')).toEqual(['1', '2']);
    expect(await names('tag/B.atom')).toEqual(['3', '2']);
    expect(await names('tag/none.atom')).toEqual([]);
  });

  it('has the same content in Atom and in JSON Feed', async () => {
    const itemId = await api.saved('example.com/a', { title: 'One <b>', tags: 'x,y' });

    const feed = await atom('unread.atom');
    const json = await get(`${start}unread.json`).expect(200);

    expect(json.headers['content-type']).toBe('application/feed+json; charset=utf-8');
    const { items, ...about } = json.body as { items: object[] };
    expect(about).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: feed.title,
      home_page_url: feed.links['alternate'],
      feed_url: `${app.url}${start}unread.json`,
    });
    const [entry] = feed.entries;
    expect(items).toEqual([
      {
        ...{ id: entry!.id, url: 'http://example.com/a', title: 'One <b>' },
        content_text: 'One <b>',
        ...{ date_published: entry!.published, date_modified: entry!.updated, tags: ['x', 'y'] },
        _satchel: { about: expect.any(String), reader_url: `${app.url}/read/${itemId}` },
      },
    ]);
    expect(entry).toMatchObject({ title: 'One <b>', tags: ['x', 'y'], summary: undefined });
    expect(feed).toMatchObject({
      title: 'Unread · Satchel',
      updated: entry!.updated,
      authors: ['Satchel'],
      links: { self: `${app.url}${start}unread.atom`, alternate: `${app.url}/list` },
    });
  });

  it('contains only the latest 50 items', async () => {
    const actions = Array.from({ length: 60 }, (_, at) => ({
      ...{ action: 'add', url: `https://example.com/${at}` },
      time: String(1000 + at),
    }));
    await api.results(...actions.slice(0, 30));
    await api.results(...actions.slice(30));

    const found = await names('unread.atom');

    expect(found).toEqual(Array.from({ length: 50 }, (_, at) => String(59 - at)));
  });

  it('keeps its entry ids when the address is replaced; they differ per user and contain no item id', async () => {
    const itemId = await api.saved('https://example.com/a');
    const other = await ReadingListApi.of(app);
    await other.saved('https://example.com/a');
    const [before] = (await atom('unread.atom')).entries;
    const ownStart = start;

    await app.app.get(FeedsService).revoke(api.user);
    start = await madeAddress(api);
    const [after] = (await atom('unread.atom')).entries;
    const renewed = start;
    start = await madeAddress(other);
    const [others] = (await atom('unread.atom')).entries;

    expect(renewed).not.toBe(ownStart);
    expect(after!.id).toBe(before!.id);
    expect(others!.id).not.toBe(before!.id);
    expect(before!.id).not.toContain(itemId);
  });

  it.each([
    ['a slash', 'a/b', ['a%2Fb', 'a/b']],
    ['a percent sign', '100%', ['100%25']],
    ['what looks encoded', '%2F', ['%252F']],
    ['letters of everywhere', 'Übermaß 日本 👩‍👩‍👧', [encodeURIComponent('Übermaß 日本 👩‍👩‍👧')]],
    ['a format', 'x.atom', ['x.atom', 'X.atom']],
    ['dots', '..', ['%2E%2E', '..']],
    ['what ends an address', 'a?b#c', ['a%3Fb%23c']],
    ['the name of a property', '__proto__', ['__proto__', '__PROTO__']],
    ['markup', '<b>"&', ['%3Cb%3E%22%26']],
  ])('is available for a tag with %s', async (_, tag, spellings) => {
    await api.saved('https://example.com/tagged', { tags: tag });

    for (const spelling of spellings) {
      const { entries, title, links } = await atom(`tag/${spelling}.atom`);
      expect(namesOf(entries)).toEqual(['tagged']);
      expect(entries[0]!.tags).toEqual([tag]);
      expect(title.toLowerCase()).toBe(`tag ${tag} · satchel`.toLowerCase());
      await get(new URL(links['self']!).pathname).expect(200);
    }
  });

  it('has headers against caching, indexing, referrers and scripts', async () => {
    const { headers } = await get(`${start}unread.atom`).expect(200);

    expect(headers).toMatchObject({
      ...{ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' },
      ...{ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' },
      'content-security-policy': expect.stringContaining(`default-src 'none'`),
      'content-type': 'application/atom+xml; charset=utf-8',
    });
    expect(headers['set-cookie']).toBeUndefined();
  });
});

describe('a feed address', () => {
  it('returns 404 once it is revoked or replaced, or its user is disabled or deleted', async () => {
    const feeds = app.app.get(FeedsService);
    const [revoked, replaced, disabled, deleted] = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const one = await ReadingListApi.of(app);
        return { user: one.user, path: `${await madeAddress(one)}unread.atom` };
      }),
    );
    const paths = [revoked, replaced, disabled, deleted].map((one) => one!.path);
    for (const path of paths) {
      await get(path).expect(200);
    }

    await feeds.revoke(revoked!.user);
    await feeds.issue(replaced!.user);
    await app.database.query(`UPDATE users SET disabled_at = now() WHERE id = $1`, [
      disabled!.user.id,
    ]);
    await app.database.query(`DELETE FROM users WHERE id = $1`, [deleted!.user.id]);

    const answers = await Promise.all(paths.map((path) => get(path)));
    const unknown = await get(`/feeds/${'A'.repeat(48)}/unread.atom`).expect(404);
    expect(unknown.body).toEqual(NOTHING);
    expect(answers.map(shape)).toEqual(answers.map(() => shape(unknown)));
    expect(
      await app.database.query(`SELECT FROM feed_accesses WHERE user_id = $1`, [deleted!.user.id]),
    ).toEqual([]);
  });

  it('cannot be derived from the stored data', async () => {
    const rows = await app.database.query<{ access_id: Buffer }>(
      `SELECT access_id FROM feed_accesses WHERE user_id = $1`,
      [api.user.id],
    );
    const id = rows[0]!.access_id;

    expect(start).toContain(id.toString('base64url'));
    for (const token of [id, Buffer.concat([id, Buffer.alloc(24)])]) {
      await get(`/feeds/${token.toString('base64url')}/unread.atom`).expect(404);
    }
  });

  it('shows only the list of its user', async () => {
    const other = await ReadingListApi.of(app);
    await api.saved('https://example.com/mine', { tags: 'x' });
    await other.saved('https://example.com/theirs', { tags: 'x' });

    expect(await names('unread.atom')).toEqual(['mine']);
    expect(await names('tag/x.atom')).toEqual(['mine']);
  });

  it.each([
    ...['', 'unread', 'unread.rss', 'unread.atom.atom', 'Unread.atom', '.atom', 'constructor.atom'],
    ...['tag', 'tag/', 'tag/.atom', 'tag/x', 'tag/a,b.atom', 'tag/_untagged_.atom', 'x/y.atom'],
    ...[`tag/${'x'.repeat(101)}.atom`, 'tag/%E2%80%8B.atom', 'tag/%00.atom', 'unread.atom/x'],
  ])('returns 404 for %j', async (file) => {
    await get(`${start}${file}`).expect(404);
  });

  it.each(['%ff', 'tag/%E0%A4%A.atom'])('returns 400 for the invalid encoding %j', async (file) => {
    await get(`${start}${file}`).expect(400);
  });

  it('is looked up in the database only if its signature is valid', async () => {
    await app.database.query('ALTER TABLE feed_accesses RENAME TO hidden');
    const statuses = [
      await get(`/feeds/${'A'.repeat(48)}/unread.atom`),
      await get(`${start.slice(0, -2)}/unread.atom`),
      await get(`${start}unread.atom`),
    ].map(({ status }) => status);
    await app.database.query('ALTER TABLE hidden RENAME TO feed_accesses');

    expect(statuses).toEqual([404, 404, 500]);
  });
});
