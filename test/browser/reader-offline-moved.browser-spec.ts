import { OfflineBrowser, type OfflineReader } from '../support/offline-browser.js';
import { until } from '../support/processes.js';
import { ReadingListApi, tagsOf } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const NEW = 'http://127.0.0.1:9/new';
const [FIRST, SECOND] = ['Lamps burn late.', 'Keepers trim them.'] as const;
const ARTICLE = `<title>The harbour</title><article><h1>The harbour</h1>
  <p>${FIRST}</p><p>${SECOND}</p>${`<p>${'Plain words. '.repeat(60)}</p>`.repeat(4)}</article>`;

let app: TestApp;
let browser: OfflineBrowser;
let reader: OfflineReader;
let id: string;

beforeAll(async () => {
  app = await aTestApp();
  browser = await OfflineBrowser.launched(app);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  const api = await ReadingListApi.of(app);
  id = await api.saved('https://harbour.example/', { html: ARTICLE });
  const annotation = { annotation_id: 'first', quote: FIRST };
  await api.results({ action: 'add_annotation', item_id: id, annotation });
  reader = await browser.reader(api);
  await reader.kept('/list', `/read/${id}`);
  // The page must not tell the service worker that the network is back, because that would send the queue.
  await reader.page.evaluate('ServiceWorker.prototype.postMessage = () => undefined');
});
afterEach(() => reader.context.close());

const isQueued = async (path: string, fields: Record<string, string>): Promise<boolean> =>
  (await reader.sent(path, fields)).waiting === true;

/** Returns the quotes of all highlights, sorted. The note of an item is an annotation without a quote. */
async function quotes(): Promise<string[]> {
  const items = await reader.api.items({ state: 'all', annotations: 1 });
  return items
    .flatMap(({ annotations = [] }) => annotations.map(({ quote }) => quote))
    .filter((quote) => quote !== '')
    .toSorted();
}

it('changes after a queued change of the address apply to the item at the new address', async () => {
  await reader.setOffline(true);
  const address = { title: 'The harbour', wasTitle: 'The harbour', was: '', url: NEW, tags: 'x' };
  const highlight = { quote: SECOND, before: '', note: '', color: 'pink' };

  const queued = [
    await isQueued(`/read/${id}/edit`, address),
    await isQueued(`/read/${id}/highlights`, highlight),
    await isQueued(`/read/${id}/highlights/delete`, { highlight: 'first' }),
    await isQueued(`/read/${id}/note`, { note: 'Read it twice' }),
    await isQueued('/list/actions', { one: `archive:${id}` }),
  ];

  expect(queued).toEqual([true, true, true, true, true]);
  await reader.setOffline(false);
  await reader.page.goto('/account');
  const unread = () => reader.api.items({ state: 'unread' });
  await until(async () => (await unread()).length === 0, 'the queued changes');
  const [item] = await reader.api.items({ state: 'archive', detailType: 'complete' });
  expect(item).toMatchObject({ given_url: NEW, note: 'Read it twice' });
  expect(item && tagsOf(item)).toEqual(['x']);
  expect(await quotes()).toEqual([SECOND]);
});

it('a change waits as long as the service refuses an earlier change of the same item', async () => {
  const other = await reader.api.saved('https://other.example/');
  await reader.setOffline(true);
  expect(await isQueued(`/read/${id}/highlights/note`, { highlight: 'first', note: 'so' })).toBe(
    true,
  );
  const busy = '**/highlights/note';
  // Before the network is back, because the browser then wakes the service worker (Background Sync).
  await reader.context.route(busy, (route) => route.fulfill({ status: 503 }));
  await reader.setOffline(false);

  expect(await isQueued(`/read/${id}/highlights/delete`, { highlight: 'first' })).toBe(true);
  expect(await isQueued('/list/actions', { one: `archive:${other}` })).toBe(false);

  expect((await reader.api.items({ state: 'archive' })).length).toBe(1);
  expect(await quotes()).toContain(FIRST);
  await reader.context.unroute(busy);
  await reader.page.goto('/account');
  await until(async () => !(await quotes()).includes(FIRST), 'the queued changes');
});
