import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { OfflineBrowser, type OfflineReader } from '../support/offline-browser.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const OLD = 'https://harbour.example/';
const NEW = 'https://lighthouse.example/';
const ARTICLE = `<title>The harbour</title><article><h1>The harbour</h1>
  <p>Lamps burn late. ${'Plain words about the harbour and its lamps. '.repeat(20)}</p></article>`;

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
  id = await api.saved(OLD, { html: ARTICLE, tags: 'sea' });
  reader = await browser.reader(api);
});
afterEach(() => reader.context.close());

describe('an address that is already in the list', () => {
  it('has an error beside its field, which is announced and links to the other item', async () => {
    const { page } = reader;
    const other = await reader.api.saved(NEW);
    await page.goto(`/read/${id}/edit`);
    await page.getByLabel('Address').fill(NEW);

    await page.getByRole('button', { name: 'Save changes' }).click();

    const field = page.getByLabel('Address');
    await page.getByRole('alert').waitFor();
    expect(await field.inputValue()).toBe(NEW);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const problem = page.locator('#url-problem');
    expect(await field.getAttribute('aria-describedby')).toContain('url-problem');
    const [above, below] = [await problem.boundingBox(), await field.boundingBox()];
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
    for (const [colorScheme, width] of [
      ['light', 320],
      ['dark', 390],
      ['light', 1280],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    }
    await problem.getByRole('link', { name: 'Open the item' }).click();
    await page.waitForURL(`**/read/${other}`);
  });
});

describe('an address that is changed without a network', () => {
  it('is sent later, and so are later changes of the same item', async () => {
    const { page } = reader;
    await reader.kept('/list', `/read/${id}`);
    await page.goto(`/read/${id}/edit`);
    await reader.setOffline(true);
    await page.getByLabel('Address').fill(NEW);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('1 change is queued until you are online.').waitFor();
    await page.locator('#archive-form button').click();
    await page.getByText('2 changes are queued until you are online.').waitFor();

    await reader.setOffline(false);
    await page.goto('/account');

    const archived = (): ReturnType<ReadingListApi['items']> =>
      reader.api.items({ state: 'archive' });
    await until(async () => (await archived()).length === 1, 'the changes');
    expect(await archived()).toMatchObject([{ given_url: NEW }]);
    await page.goto('/list/archive');
    expect(await page.locator('.notice.offline').isVisible()).toBe(false);
  });
});
