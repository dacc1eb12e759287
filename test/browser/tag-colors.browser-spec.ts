import type { Browser } from 'playwright-core';

import { TAG_COLORS } from '../../src/lib/util/tag-color.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { until } from '../support/processes.js';
import { logIn } from '../support/reader-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await aTestApp();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it('a user chooses colors of tags without scripts, and no page has axe violations', async () => {
  const api = await ReadingListApi.of(app);
  const tags = [...TAG_COLORS.map((color) => `tag ${color}`), 'plain'];
  const html = `<article>${'<p>The tide comes in twice on each day, and leaves again.</p>'.repeat(20)}</article>`;
  const id = await api.saved('https://example.com/a', { tags: tags.join(','), html });
  // The page of an article that is still being fetched reloads itself.
  await until(async () => (await api.item(id))?.word_count !== '0');
  const options = {
    ...{ baseURL: app.url, bypassCSP: true, serviceWorkers: 'block' as const },
    viewport: { width: 320, height: 800 },
  };
  const scriptless = await browser.newContext({ ...options, javaScriptEnabled: false });
  const page = await scriptless.newPage();
  await logIn(page, api.user);

  for (const color of TAG_COLORS) {
    await page.goto('/list/tags/all');
    await page.getByRole('link', { name: `Edit the tag tag ${color}`, exact: true }).click();
    await page.locator(`input[name=color][value=${color}]`).check();
    await page.getByRole('button', { name: 'Save color' }).click();
    await page.waitForURL(/done=tag-colored/);
  }

  const paths = ['/list/tags/all', '/list/tags/edit?tag=tag+red', `/list/tags?item=${id}`];
  const storageState = await scriptless.storageState();
  const shown = await (await browser.newContext({ ...options, storageState })).newPage();
  const found: string[] = [];
  for (const path of [...paths, `/read/${id}`]) {
    await shown.goto(path);
    expect(await shown.locator('.tag-color').count()).toBe(TAG_COLORS.length);
    expect(await shown.locator('.tag-color').first().isVisible()).toBe(true);
    for (const theme of ['light', 'dark', 'sepia']) {
      await shown.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      found.push(...(await violationsOf(shown)));
      expect(await overflowOf(shown)).toBeLessThanOrEqual(0);
    }
  }
  expect(found).toEqual([]);
});
