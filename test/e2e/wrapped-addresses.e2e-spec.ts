import { normalAddress } from '../../src/reading-list/list/address.js';
import { ImportApi } from '../support/import-api.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { WallabagCalls } from '../support/wallabag-calls.js';

const PAGE = 'https://ferns.example/a?x=1';
const ENCODED = encodeURIComponent(PAGE);
const POCKET = `https://getpocket.com/redirect?url=${ENCODED}&h=1`;

const WRAPPED = [
  `about:reader?url=${ENCODED}`,
  `read://https_ferns.example/?url=${ENCODED}`,
  `view-source:${PAGE}`,
  `chrome-extension://klbibkeccnjlkjkiokjodocebajanakg/suspended.html#ttl=F&pos=0&uri=${PAGE}`,
  POCKET,
  `http://${PAGE}`,
];

let app: TestApp;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  api = await ReadingListApi.of(app);
});

const urls = async (): Promise<string[]> =>
  (await api.items({ state: 'all', sort: 'oldest' })).map(({ given_url: url }) => url);

describe('a page that is saved from a reader mode, a suspended tab or a redirect of Pocket', () => {
  it('is saved with its own address by /v3/add', async () => {
    const id = await api.saved(PAGE);

    for (const url of WRAPPED) {
      expect(await api.saved(url)).toBe(id);
    }
    expect(await urls()).toEqual([PAGE]);
  });

  it('is saved and deleted with its own address by /v3/send', async () => {
    for (const url of WRAPPED) {
      expect(await api.results({ action: 'add', url })).toEqual([true]);
      expect(await urls()).toEqual([PAGE]);
      expect(await api.results({ action: 'delete', url })).toEqual([true]);
      expect(await urls()).toEqual([]);
    }
  });

  it('is saved with its own address by clients of wallabag', async () => {
    const calls = await WallabagCalls.of(app, { v3: api });
    for (const url of WRAPPED) {
      await calls.saved({ url });
      const { body } = await calls.call('get', 'entries/exists', { url }, 'query').expect(200);
      expect(body).toEqual({ exists: true });
    }
    expect(await urls()).toEqual([PAGE]);
  });

  it('is saved with its own address by an import', async () => {
    const lines = WRAPPED.map((url, at) => JSON.stringify({ url: `${url}${at}` }));

    await new ImportApi(app, api).imported(['{"satchel":1}', ...lines].join('\n'));

    const expected = WRAPPED.map((url, at) => (url === POCKET ? PAGE : `${PAGE}${at}`));
    expect((await urls()).sort()).toEqual(expected.sort());
  });

  it('keeps the id of an item that was saved with the wrapped address before', async () => {
    const [former, other] = normalAddress(POCKET)!.formerItemIds;
    expect([former, other]).toEqual([expect.any(String), undefined]);
    await api.saved('https://other.example/');
    // The words of the item refer to its id.
    const due = 'SELECT FROM due_texts WHERE user_id = $1';
    await until(async () => (await app.database.query(due, [api.user.id])).length === 0);
    await app.database.query('DELETE FROM item_texts WHERE user_id = $1', [api.user.id]);
    await app.database.query(`UPDATE items SET item_id = $1, given_url = $2 WHERE user_id = $3`, [
      former,
      POCKET,
      api.user.id,
    ]);

    expect(await api.saved(POCKET)).toBe(former);
    expect(await urls()).toEqual([PAGE]);
  });
});

describe('a wrapped address', () => {
  it.each([
    'about:reader?url=javascript%3Aalert(1)',
    'about:reader?url=',
    'view-source:file:///etc/passwd',
    'about:reader?url=https%3A%2F%2F%00',
  ])('%s is rejected', async (url) => {
    await api.add({ url }).expect(400);

    expect((await api.sent({ action: 'add', url })).action_results).toEqual([false]);
    expect(await urls()).toEqual([]);
  });

  it('is stored with encoded control characters', async () => {
    await api.saved('about:reader?url=https%3A%2F%2Fferns.example%2F%00%E2%80%AEx');

    expect(await urls()).toEqual(['https://ferns.example/%00%E2%80%AEx']);
  });
});
