import { hash } from 'node:crypto';

import { aFetcher } from '../support/a-fetcher.js';
import { ok, PublicHost, redirect } from '../support/public-host.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';

let host: PublicHost;
let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  host = await PublicHost.start();
  app = await aTestApp({
    config: { resolverConcurrency: 2, resolveWaitMs: 60_000 },
    fetcher: aFetcher(host),
  });
});
afterAll(async () => {
  await app.close();
  await host.stop();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

describe('one page behind several fragment routes', () => {
  it('is fetched once without the fragment, and each item keeps its own route', async () => {
    host.answer(ok('<title>Notes</title>'));
    const page = host.url('/', 'notes.example');
    const routes = ['#/notes/1', '#/notes/2', '#!3'].map((route) => `${page}${route}`);

    const added = [];
    for (const url of routes) {
      added.push((await api.add({ url }).expect(200)).body.item);
    }

    expect(host.heads.map((head) => head.split('\r\n', 1)[0])).toEqual(['GET / HTTP/1.1']);
    expect(added).toMatchObject(
      routes.map((url) => ({ given_url: url, resolved_url: url, title: 'Notes' })),
    );
    const items = await api.items();
    expect(items.map(({ resolved_id: id }) => id)).toEqual(items.map(({ item_id: id }) => id));
  });

  it('does not make entries/exists find the URL without the route', async () => {
    host.answer(redirect(host.url('/new', 'moved.example')), ok('<title>Moved</title>'));
    const found = host.url('/new', 'moved.example');
    const calls = await WallabagCalls.of(app, { v3: api });
    const exists = async (query: object): Promise<unknown> =>
      (await calls.call('get', 'entries/exists', query as Record<string, unknown>, 'query')).body
        .exists as unknown;

    await api.saved(host.url('/#/notes/1', 'old.example'));

    expect(await exists({ url: found })).toBe(false);
    expect(await exists({ hashed_url: hash('sha1', found) })).toBe(false);
    expect(await exists({ url: `${found}#/notes/1` })).toBe(true);
    expect(await exists({ hashed_url: hash('sha1', `${found}#/notes/1`) })).toBe(true);
    await calls.saved({ url: found });
    expect((await api.items()).map(({ given_url: url }) => url)).toContain(found);
  });
});
