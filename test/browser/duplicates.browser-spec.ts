import type { Browser } from 'playwright-core';

import { ListsOnPostgres } from '../support/a-list.js';
import { PASSWORD } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { DuplicateReader, DUPLICATES } from '../support/duplicate-reader.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let lists: ListsOnPostgres;
let browser: Browser;

beforeAll(async () => {
  app = await aTestApp();
  lists = await ListsOnPostgres.start(app.database);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await lists.dataSource.destroy();
  await app.close();
});

/** Returns a reader with two groups, whose addresses and tags are long. */
async function aReader(): Promise<DuplicateReader> {
  const reader = await DuplicateReader.of(app, lists);
  await reader.pair();
  const long = 'a-long-part-of-an-address-without-a-space-'.repeat(4);
  const target = `https://site.example/${long}`;
  await reader.saved(`https://short.example/?to=${long}`, target);
  const item = await reader.saved(target, target);
  await reader.highlight(item, 'article');
  await reader.api.sent(
    { action: 'tags_add', item_id: item, tags: `${'green'.repeat(12)},b,c` },
    { action: 'favorite', item_id: item },
    { action: 'set_note', item_id: item, note: 'Mine' },
  );
  return reader;
}

describe.each(['light', 'dark'] as const)('duplicates in the %s color scheme', (colorScheme) => {
  it.each([320, 390, 1280])('have no accessibility violations and fit at %i px', async (width) => {
    const { api } = await aReader();
    const options = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true };
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`${app.url}/auth/login`);
    await page.getByLabel('Email address').fill(api.user.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(/\/list/);

    for (const path of [DUPLICATES, `${DUPLICATES}?kind=likely`]) {
      await page.goto(`${app.url}${path}`);
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    }
    await page.goto(`${app.url}${DUPLICATES}`);
    await page.getByRole('button', { name: 'Merge', exact: true }).first().click();

    expect(await page.locator('.done p').textContent()).toContain('Merged.');
    expect(await page.locator('form.duplicates').count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });
});
