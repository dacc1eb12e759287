import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { aListOf } from '../support/list-browser.js';
import { OfflineBrowser, type OfflineReader } from '../support/offline-browser.js';
import { PictureSite } from '../support/picture-site.js';
import { until } from '../support/processes.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const COUNT = 104;
const MOST = 100;

/** True if the browser has stored a picture of an article. */
const HAS_PICTURE = `(async () => {
  for (const name of await caches.keys()) {
    const requests = await (await caches.open(name)).keys();
    if (requests.some(({ url }) => new URL(url).pathname.startsWith('/images/'))) return true;
  }
  return false;
})()`;

let site: PictureSite;
let app: TestApp;
let browser: OfflineBrowser;
let reader: OfflineReader;
/** The ids of the unread items, in the order of the list. */
let ids: string[];

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      resolveWaitMs: 60_000,
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  browser = await OfflineBrowser.launched(app);
  const api = await aListOf(app, COUNT);
  const words = 'Plain words about the harbour and its lamps. '.repeat(20);
  await api.saved('https://site40.example.com/40', {
    time: 1_700_000_040,
    html: `<title>item 40</title><article><h1>item 40</h1><p>${words}</p>
      <p><img src="${site.url}/photo.webp" alt=""></p><p>${words}</p></article>`,
  });
  const rows = await app.database.query<{ item_id: string }>(
    'SELECT item_id FROM items JOIN users ON id = user_id WHERE email = $1 ORDER BY time_added DESC',
    [api.user.email],
  );
  ids = rows.map(({ item_id: id }) => id);
  reader = await browser.reader(api);
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await site.stop();
});

const keptIds = async (): Promise<string[]> =>
  reader.page.evaluate<string[]>(
    `caches.match('/list/offline.json').then((found) => found?.json()).then((index) => index?.items.map(({ id }) => id) ?? [])`,
  );

it('a browser keeps the first 100 unread articles of the list, with their pictures', async () => {
  const { page } = reader;
  expect(ids).toHaveLength(COUNT);
  await until(async () => (await keptIds()).length === MOST, 'the articles');
  expect(await keptIds()).toEqual(ids.slice(0, MOST));
  await reader.kept(`/read/${ids[0]!}`, `/read/${ids[MOST - 1]!}`);
  expect(await reader.isKept(`/read/${ids[MOST]!}`)).toBe(false);
  await until(() => page.evaluate<boolean>(HAS_PICTURE), 'a picture');
  await page.goto('/list?state=all');
  const href = await page.locator('.items h2 a').first().getAttribute('href');
  expect(href).toContain('?list=');
  await reader.setOffline(true);

  await page.goto(href ?? '');
  expect(await reader.heading).toBe('item 103');
  const withPicture = (await reader.api.items({ search: 'site40' }))[0]!;
  await page.goto(`/read/${withPicture.item_id}?list=state%3Dall`);
  // The browser loads pictures lazily.
  await page.evaluate(`document.querySelector('.reading img').scrollIntoView()`);
  await until(
    () => page.evaluate<boolean>(`document.querySelector('.reading img').naturalWidth > 0`),
    'the picture',
  );
  await page.goto('/list');
  expect(await page.locator('.items h2').count()).toBe(40);
  await page.getByRole('link', { name: 'Next page' }).click();
  await page
    .locator('#kept li')
    .nth(MOST - 1)
    .waitFor();
  await reader.setOffline(false);
});

it.each([
  ['the archive', '/list?state=archive'],
  ['the favorites', '/list?state=favorites'],
  ['all items', '/list?state=all'],
  ['a tag', '/list?tag=a'],
  ['a search', '/list?search=item'],
  ['failed pages', '/list?state=failed'],
  ['the trash', '/list/trash'],
  ['all tags', '/list/tags/all'],
  ['all highlights', '/highlights'],
  ['the account', '/account'],
])('without a network, the page of %s says that only Unread is stored', async (_, path) => {
  const { page } = reader;
  await reader.kept('/list', '/offline');
  await reader.setOffline(true);

  await page.goto(path);

  expect(await reader.heading).toBe('You are offline');
  expect(await page.locator('main').innerText()).toContain('Your browser stores only Unread');
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await violationsOf(page)).toEqual([]);
  expect(await overflowOf(page)).toBe(0);
  await page.screenshot({ path: '/tmp/offline-other.png' });
  await page.getByRole('link', { name: 'Your unread articles (stored copy)' }).click();
  await page.locator('.items h2').first().waitFor();
  expect(await page.locator('.items').count()).toBe(1);
  await reader.setOffline(false);
});
