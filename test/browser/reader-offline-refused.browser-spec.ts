import { AccountApi } from '../support/account-api.js';
import { OfflineBrowser, type OfflineReader } from '../support/offline-browser.js';
import { until } from '../support/processes.js';
import { logIn, queuedChanges } from '../support/reader-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

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
  id = await api.saved('https://harbour.example/');
  reader = await browser.reader(api);
  await reader.kept('/list', `/read/${id}`);
});
afterEach(() => reader.context.close());

const archived = () => reader.api.items({ state: 'archive' });

it('a change waits behind a queued one if the service refuses to name the user', async () => {
  // The page must not tell the service worker that the network is back, because that would send the queue.
  await reader.page.evaluate('ServiceWorker.prototype.postMessage = () => undefined');
  await reader.setOffline(true);
  await reader.sent('/list/actions', { one: `archive:${id}` });
  // Before the network is back, because the browser then wakes the service worker (Background Sync).
  await reader.context.route('**/list/offline.json', (route) => route.fulfill({ status: 503 }));
  await reader.setOffline(false);

  expect(await reader.sent('/list/actions', { one: `readd:${id}` })).toMatchObject({
    status: 200,
    waiting: true,
  });

  await reader.context.unroute('**/list/offline.json');
  await reader.page.goto('/account');
  await until(async () => (await queuedChanges(reader.page)) === 0, 'the queued changes');
  expect(await archived()).toEqual([]);
});

it('a script learns that its form is not queued while it is not certain who is logged in', async () => {
  const { page, context } = reader;
  await page.goto(`/read/${id}`);
  await context.clearCookies();
  const other = await context.newPage();
  await other.goto('/list');
  await other.waitForURL(/login/);
  await reader.setOffline(true);

  expect((await reader.sent(`/read/${id}/note`, { note: 'so' })).status).toBe(503);
  expect((await reader.sent('/list/actions', { one: `archive:${id}` })).status).toBe(503);
});

it('an open page loads again after another user has logged in', async () => {
  const { page, context } = reader;
  await page.goto(`/read/${id}`);
  await page.evaluate('{ window.isOfAda = true; }');
  await context.clearCookies();

  const other = await context.newPage();
  await logIn(other, await new AccountApi(app).signedIn());

  const isOpen = () => page.evaluate<boolean>('window.isOfAda === true').catch(() => true);
  await until(async () => !(await isOpen()), 'another page');
  expect(await archived()).toEqual([]);
});
