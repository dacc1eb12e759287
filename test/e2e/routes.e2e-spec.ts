import { hash } from 'node:crypto';

import { ImportApi } from '../support/import-api.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { idOf } from '../support/saved-before-routes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';

const ROOT = 'https://app.example/';
const [FIRST, SECOND] = [`${ROOT}#/notes/1`, `${ROOT}#/notes/2`] as const;
const ALL = [ROOT, FIRST, SECOND];

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const urls = async (members: object = {}): Promise<string[]> =>
  (await api.items({ state: 'all', sort: 'oldest', ...members })).map(({ given_url }) => given_url);

describe('URLs that differ only in the route in their fragment', () => {
  it('are separate items for /v3/add', async () => {
    const ids: string[] = [];
    for (const url of [...ALL, ...ALL]) {
      ids.push(await api.saved(url));
    }

    expect(ids).toEqual([...ALL, ...ALL].map(idOf));
    expect(await urls()).toEqual(ALL);
    expect(await api.saved(`${ROOT}#notes`)).toBe(idOf(ROOT));
    expect(await api.saved(`http://www.app.example#/notes/1/`)).toBe(idOf(FIRST));
  });

  it('are separate items in one batch of /v3/send, and actions find them by URL', async () => {
    const { action_results: results } = await api.sent(
      ...[...ALL, ...ALL].map((url) => ({ action: 'add', url })),
      { action: 'archive', url: FIRST },
      { action: 'tags_add', url: SECOND, tags: 'two' },
      { action: 'delete', url: ROOT },
      { action: 'favorite', url: `${ROOT}#/notes/3` },
    );

    expect(results.slice(-4)).toEqual([true, true, true, false]);
    const items = await api.items({ state: 'all', sort: 'oldest', detailType: 'complete' });
    expect(items.map((item) => [item.given_url, item.status, tagsOf(item)])).toEqual([
      [FIRST, '1', []],
      [SECOND, '0', ['two']],
    ]);
  });

  it('are separate items in an import, each with its highlights', async () => {
    const lines = [...ALL, ...ALL].map((url) =>
      JSON.stringify({ url, annotations: [{ quote: 'Same words', created_at: 1_600_000_000 }] }),
    );

    await new ImportApi(app, api).imported(['{"satchel":1}', ...lines].join('\n'));

    const items = await api.items({ detailType: 'complete', annotations: 1 });
    expect(items.map(({ given_url: url }) => url).sort()).toEqual([...ALL].sort());
    expect(items.map(({ annotations }) => annotations?.length)).toEqual([1, 1, 1]);
  });

  it('are found separately by /v3/get', async () => {
    await api.saved(FIRST);
    await api.saved(SECOND);

    expect(await urls({ url: SECOND })).toEqual([SECOND]);
    expect(await urls({ url: ROOT })).toEqual([]);
    expect(await urls({ url: `${ROOT}#/notes/3` })).toEqual([]);
    await api.saved(ROOT);
    expect(await urls({ url: ROOT })).toEqual([ROOT]);
  });

  it('are sorted by site and route', async () => {
    for (const url of [SECOND, ROOT, FIRST]) {
      await api.saved(url);
    }

    expect(await urls({ sort: 'site' })).toEqual(ALL);
    expect(await urls({ domain: 'app.example', sort: 'site' })).toEqual(ALL);
  });

  it('are separate items for clients of wallabag', async () => {
    const calls = await WallabagCalls.of(app, { v3: api });
    const sha1 = (url: string): string => hash('sha1', url);
    const exists = async (query: object): Promise<unknown> =>
      (await calls.call('get', 'entries/exists', { ...query, return_id: 1 }, 'query').expect(200))
        .body.exists as unknown;

    const first = await calls.saved({ url: FIRST });
    expect([await exists({ url: FIRST }), await exists({ hashed_url: sha1(FIRST) })]).toEqual([
      first.id,
      first.id,
    ]);
    for (const url of [ROOT, SECOND]) {
      expect([await exists({ url }), await exists({ hashed_url: sha1(url) })]).toEqual([
        null,
        null,
      ]);
    }
    const second = await calls.saved({ url: SECOND });
    const root = await calls.saved({ url: ROOT });
    expect(new Set([first.id, second.id, root.id]).size).toBe(3);
    expect(await exists({ url: SECOND })).toBe(second.id);

    const list = JSON.stringify([FIRST]);
    await calls.call('delete', 'entries/list', { urls: list }, 'query').expect(200);
    expect(await urls()).toEqual([SECOND, ROOT]);
  });
});
