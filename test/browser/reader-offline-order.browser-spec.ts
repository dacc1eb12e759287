import { OfflineBrowser, type OfflineReader } from '../support/offline-browser.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WORDS = 'Plain words about the harbour and its lamps. '.repeat(20);
const ARTICLE = `<title>The harbour</title><article><h1>The harbour</h1>
  <p>Lamps burn late.</p><p>Keepers trim them.</p>${`<p>${WORDS}</p>`.repeat(4)}</article>`;

let app: TestApp;
let browser: OfflineBrowser;
let reader: OfflineReader;
let id: string;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
  browser = await OfflineBrowser.launched(app);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  const api = await ReadingListApi.of(app);
  id = await api.saved('https://harbour.example/', { html: ARTICLE });
  await api.results(
    ...['Lamps burn late.', 'Keepers trim them.'].map((quote, at) => ({
      ...{ action: 'add_annotation', item_id: id },
      annotation: { annotation_id: `n${at}`, quote },
    })),
  );
  reader = await browser.reader(api);
  reader.page.setDefaultTimeout(60_000);
  await reader.kept('/list', `/read/${id}`);
});
afterEach(() => reader.context.close());

/** Returns the number of queued changes that the user has made, without reading positions. */
const queued = (): Promise<number> =>
  reader.page.evaluate<number>(`new Promise((resolve) => {
    indexedDB.open('satchel').onsuccess = ({ target: { result } }) => {
      result.transaction('changes').objectStore('changes').getAll().onsuccess = ({ target }) => {
        result.close();
        resolve(target.result.filter(({ path }) => !path.endsWith('/position')).length);
      };
    };
  })`);

it('changes in the panel of a highlight are queued without a network', async () => {
  const { page } = reader;
  await reader.setOffline(true);
  await page.goto(`/read/${id}`);
  const panel = page.getByRole('dialog', { name: 'Highlight' });

  await page.locator('#highlight-n0').click();
  await panel.getByLabel('Pink').check();
  await page.locator('#highlight-n0[data-color="pink"]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#highlight-n1').click();
  await panel.getByRole('button', { name: 'Delete highlight' }).click();

  await page.getByText('2 changes are queued until you are online.').waitFor();
  expect(await page.locator('mark').count()).toBe(1);
  await reader.setOffline(false);
  await page.goto('/account');
  await until(async () => (await queued()) === 0, 'the queued changes');
  const rows = await app.database.query(
    'SELECT annotation_id, color FROM annotations WHERE user_id = $1',
    [reader.api.user.id],
  );
  expect(rows).toEqual([{ annotation_id: 'n0', color: 'pink' }]);
});

it('a new change is sent after the queued ones, so that the last change counts', async () => {
  const { page } = reader;
  await reader.setOffline(true);
  await page.goto('/list');
  await page.locator('.items').getByRole('button', { name: 'Archive' }).click();
  await page.getByText('1 change is queued until you are online.').waitFor();
  // This page does not notice that the network is back.
  await page.evaluate('ServiceWorker.prototype.postMessage = () => undefined');
  await reader.setOffline(false);

  const status = await page.evaluate(`{
    const fields = { _csrf: document.querySelector('[name=_csrf]').value, action: 'readd', 'item[]': '${id}' };
    const headers = { Accept: 'application/json' };
    fetch('/list/actions', { method: 'POST', headers, body: new URLSearchParams(fields) }).then(({ status }) => status);
  }`);

  expect(status).toBe(200);
  await page.goto('/account');
  await until(async () => (await queued()) === 0, 'the queued changes');
  expect((await reader.api.items({ state: 'unread' })).length).toBe(1);
});

it('a logout without a network deletes nothing, and says that there is no network', async () => {
  const { page } = reader;
  await page.goto('/account');
  await reader.setOffline(true);
  await page.evaluate(`{
    const fields = { _csrf: document.querySelector('[name=_csrf]').value, one: 'favorite:${id}' };
    const headers = { Accept: 'application/json' };
    fetch('/list/actions', { method: 'POST', headers, body: new URLSearchParams(fields) }).then(({ status }) => status);
  }`);

  await page.getByRole('button', { name: 'Log out of this browser' }).click();

  await page.getByRole('heading', { name: 'You are offline' }).waitFor();
  expect(await queued()).toBe(1);
  await reader.setOffline(false);
  await page.goto('/list');
  await until(async () => (await queued()) === 0, 'the queued changes');
  expect((await reader.api.items({ favorite: 1 })).length).toBe(1);
  expect(await reader.isKept(`/read/${id}`)).toBe(true);
});

it('another site cannot delete the queued changes and the stored pages', async () => {
  const { page, context } = reader;
  await reader.setOffline(true);
  await page.goto(`/read/${id}`);
  await page.locator('#archive-form button').click();
  await page.getByText('1 change is queued until you are online.').waitFor();
  const leave = `${new URL(page.url()).origin}/auth/leave`;
  await page.route('http://other.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${leave}"><button>Leave</button></form>`,
    }),
  );
  await context.setOffline(false);
  await page.goto('http://other.example/');

  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL(leave).catch(() => undefined);

  await page.goto('/list');
  expect([await queued(), await reader.isKept(`/read/${id}`)]).toEqual([1, true]);
});
