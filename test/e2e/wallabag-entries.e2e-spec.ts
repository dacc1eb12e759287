import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCaller } from '../support/wallabag-caller.js';
import { strictEntry } from '../support/wallabag-entry.js';

let app: TestApp;
let ada: WallabagCaller;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ada = await WallabagCaller.of(app);
});

const at = (name: string): string => `https://example.com/${name}`;

const idOf = async (name: string): Promise<string> =>
  (await ada.v3.items()).find(({ given_url: url }) => url === at(name))!.item_id;

async function send(action: string, name: string, members: object = {}): Promise<void> {
  const results = await ada.v3.results({ action, item_id: await idOf(name), ...members });
  expect(results).toEqual([expect.anything()]);
}

describe('GET /wallabag/api/entries', () => {
  it('returns one empty page for an empty list', async () => {
    const list = await ada.list();

    expect(list).toMatchObject({ page: 1, limit: 30, pages: 1, total: 0, items: [] });
    expect(Object.keys(list._links)).toEqual(['self', 'first', 'last']);
  });

  it('returns only entries of the user, the last added first', async () => {
    const eve = await WallabagCaller.of(app);
    const first = await ada.saved(at('first'), { time: 1_700_000_000 });
    const second = await ada.saved(at('second'), { tags: 'To Read,x', title: 'Second' });

    const { items } = await ada.list();

    expect(items.map(({ id }) => id)).toEqual([second, first]);
    expect(items[0]).toMatchObject({
      ...{ title: 'Second', given_url: at('second'), url: at('second'), is_archived: 0 },
      ...{
        content: '<p>This page is being read.</p>',
        mimetype: null,
        headers: null,
        domain_name: 'example.com',
      },
      tags: [
        { label: 'to read', slug: 't:to-read' },
        { label: 'x', slug: 't:x' },
      ],
    });
    expect(items[1]).toMatchObject({ title: 'first', created_at: '2023-11-14T22:13:20+0000' });
    expect((await eve.list()).total).toBe(0);
    expect((await eve.get(`entries/${first}`)).status).toBe(404);
    expect((await eve.get(`entries/${first}/tags`)).status).toBe(404);
    expect((await eve.get(`annotations/${first}`)).status).toBe(404);
    expect((await eve.get(`entries/${first}/export.txt`)).status).toBe(404);
  });

  it('returns every entry once page by page, and then 404 without entries', async () => {
    const actions = Array.from({ length: 250 }, (_, n) => ({
      action: 'add',
      url: at(`page-${n}`),
    }));
    await ada.v3.results(...actions.slice(0, 125));
    await ada.v3.results(...actions.slice(125));
    for (const query of [{}, { sort: 'updated', order: 'asc' }, { sort: 'updated', since: 5 }]) {
      const seen: number[] = [];
      let page = 1;
      for (;;) {
        const { body, status } = await ada.get('entries', { ...query, page, perPage: 30 });
        if (status === 404) {
          expect(body).toMatchObject({ code: 404, error: 'not_found' });
          expect(body).not.toHaveProperty('_embedded');
          break;
        }
        expect(body).toMatchObject({ page, pages: 9, total: 250, limit: 30 });
        expect('next' in body._links).toBe(page < 9);
        seen.push(
          ...(body as { _embedded: { items: { id: number }[] } })._embedded.items.map(
            ({ id }) => id,
          ),
        );
        page += 1;
      }
      expect(page).toBe(10);
      expect(new Set(seen).size).toBe(250);
      const isAscending = 'order' in query;
      if (!('since' in query)) {
        expect(seen).toEqual(
          seen.toSorted((one, other) => (isAscending ? one - other : other - one)),
        );
      }
    }
  });

  it('returns absolute links with the filters and without the access token', async () => {
    await ada.v3.results(
      ...[1, 2, 3].map((n) => ({ action: 'add', url: at(`link-${n}`), tags: 'a b' })),
    );

    const { _links: links } = await ada.list({
      perPage: 1,
      page: 2,
      tags: 'a b',
      archive: 0,
      detail: 'metadata',
    });

    expect(Object.keys(links)).toEqual(['self', 'first', 'last', 'next', 'previous']);
    const next = new URL(links['next']!.href);
    expect(next.origin).toBe(app.url);
    expect(next.pathname).toBe('/wallabag/api/entries');
    expect(Object.fromEntries(next.searchParams)).toEqual({
      ...{ archive: '0', tags: 'a b', detail: 'metadata', page: '3', perPage: '1' },
    });
  });

  it.each([
    [{ perPage: 0 }, 30],
    [{ perPage: -1, page: 0 }, 30],
    [{ perPage: 'x', page: '' }, 30],
    [{ perPage: 300 }, 300],
    [{ perPage: 5000 }, 300],
    [{ sort: 'unheard-of', order: 'None', tags: '', since: 0, archive: 'None' }, 30],
  ])('accepts %j, and returns the page size', async (query, limit) => {
    await ada.v3.saved(at('one'));

    expect(await ada.list(query)).toMatchObject({ page: 1, limit, total: 1 });
  });

  it.each([{ order: 'up' }, { detail: 'some' }, { archive: 'perhaps' }, { since: 'yesterday' }])(
    'rejects %j',
    async (query) => {
      const { body } = await ada.get('entries', query).expect(400);

      expect(body).toMatchObject({ code: 400, error: 'invalid_request' });
    },
  );
});

describe('the filters of GET /wallabag/api/entries', () => {
  it('select entries by state, tags, annotations and site', async () => {
    await ada.v3.results(
      { action: 'add', url: at('plain') },
      { action: 'add', url: at('read'), tags: 'News,Long' },
      { action: 'add', url: at('liked'), tags: 'news' },
      { action: 'add', url: 'https://www.other.example:8080/there', tags: 'a.b' },
    );
    await send('archive', 'read');
    await send('favorite', 'liked');
    await ada.v3.results({
      action: 'add_annotation',
      annotation_id: 'one',
      item_id: await idOf('read'),
      annotation: {
        patch: '@@ -1 +1 @@',
        quote: 'Words',
        version: '2',
        created_at: '2024-01-01 00:00:00',
      },
    });
    const names = (query: object) => ada.names({ order: 'asc', ...query });

    expect(await names({ archive: 1 })).toEqual(['read']);
    expect(await names({ archive: 0 })).toEqual(['plain', 'liked', 'there']);
    expect(await names({ starred: 1 })).toEqual(['liked']);
    expect(await names({ starred: 0, archive: 0 })).toEqual(['plain', 'there']);
    expect(await names({ tags: 'NEWS' })).toEqual(['read', 'liked']);
    expect(await names({ tags: 'news,long' })).toEqual(['read']);
    expect(await names({ tags: 'new' })).toEqual([]);
    expect(await names({ tags: 'news', archive: 0 })).toEqual(['liked']);
    expect(await names({ annotations: 1 })).toEqual(['read']);
    expect(await names({ annotations: 0, archive: 1 })).toEqual([]);
    expect(await names({ domain_name: 'www.other.example' })).toEqual(['there']);
    expect(await names({ domain_name: 'other.example' })).toEqual([]);
    expect(await names({ domain_name: 'example' })).toEqual([]);
    expect(await names({ domain_name: 'Example.com', archive: 0, starred: 1 })).toEqual(['liked']);
    expect(await names({ domain_name: 'example.com', tags: 'news', since: 5 })).toEqual([
      'read',
      'liked',
    ]);
    expect((await ada.list({ domain_name: 'example.com', perPage: 1 })).total).toBe(3);
    expect(await names({ public: 1 })).toEqual([]);
    expect(await names({ public: 0 })).toHaveLength(4);
    expect(await names({ notParsed: 1 })).toHaveLength(4);
    expect(await names({ notParsed: 0 })).toEqual([]);
    expect(await names({ http_status: 200 })).toEqual([]);
    expect((await ada.list({ archive: 0 })).total).toBe(3);
    expect((await ada.list({ tags: 'news', archive: 0, starred: 1 })).total).toBe(1);
  });

  it.each([
    ['https://ada:secret@User.Example/a', '', 'user.example'],
    ['bare.example/path?x=https://other.example/', '', 'bare.example'],
    ['http://[::1]:8080/', '', '[::1]'],
    ['https://query.example?a', '', 'query.example'],
    ['https://short.example/', 'http://LED.example#a', 'led.example'],
  ])('find %s, resolved to "%s", by its host', async (given, resolved, host) => {
    await ada.v3.results({ action: 'add', url: given }, { action: 'add', url: at('other') });
    await app.database.query(`UPDATE items SET resolved_url = $1 WHERE given_url = $2`, [
      resolved,
      given,
    ]);

    const { items, total } = await ada.list({ domain_name: host });

    expect(items.map((one) => [one.given_url, one.domain_name])).toEqual([[given, host]]);
    expect(total).toBe(1);
  });

  it('select entries that changed after the time in since, not at it', async () => {
    await ada.v3.saved(at('old'));
    await ada.v3.saved(at('new'));
    const seen = (await ada.list()).items.map(
      ({ updated_at: date }) => Date.parse(date.replace('+0000', 'Z')) / 1000,
    );
    const since = Math.max(...seen);
    expect(await ada.names({ since })).toEqual([]);

    await send('archive', 'old');
    const [changed, ...others] = (await ada.list({ since, sort: 'updated', order: 'asc' })).items;

    expect(others).toEqual([]);
    expect(changed).toMatchObject({ given_url: at('old'), is_archived: 1 });
    expect(changed!.archived_at).not.toBeNull();
    expect(Date.parse(changed!.updated_at.replace('+0000', 'Z')) / 1000).toBeGreaterThan(since);
    expect(await ada.names({ since: since - 1, archive: 1 })).toEqual(['old']);
  });

  it('sort by the time of archiving, in both directions', async () => {
    for (const [n, name] of ['a', 'b', 'c'].entries()) {
      await ada.v3.saved(at(name));
      await send('archive', name, { time: 1_700_000_000 + [5, 9, 5][n]! });
    }
    await ada.v3.saved(at('unread'));

    expect(await ada.names({ sort: 'archived', archive: 1 })).toEqual(['b', 'c', 'a']);
    expect(await ada.names({ sort: 'archived', archive: 1, order: 'asc' })).toEqual([
      'a',
      'c',
      'b',
    ]);
    expect(await ada.names({ sort: 'archived' })).toEqual(['b', 'c', 'a', 'unread']);
  });
});

describe('a single entry', () => {
  it('is found by its number, also with .json, and has no content with detail=metadata', async () => {
    const number = await ada.saved(at('only'));

    expect(await ada.entry(number)).toMatchObject({ id: number, title: 'only' });
    const { body } = await ada.get(`entries/${number}.json`, { detail: 'metadata' }).expect(200);
    expect(strictEntry(body).content).toBeNull();
  });

  it.each(['0', '-1', '2147483648', '99999999999999999999', 'abc', '1.5', '%00', '7'])(
    'is not found by %s',
    async (number) => {
      for (const path of [
        `entries/${number}`,
        `entries/${number}/tags`,
        `annotations/${number}`,
        `entries/${number}/export.json`,
      ]) {
        const { body, status } = await ada.get(path);
        expect([path, status, body.code]).toEqual([path, 404, 404]);
      }
    },
  );
});
