import type { Browser, BrowserContext, Page } from 'playwright-core';

import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { CatalogueReader } from '../support/catalogue-reader.js';
import { launchChromium } from '../support/chromium.js';
import { logIn } from '../support/reader-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let browser: Browser;
let api: ReadingListApi;

beforeAll(async () => {
  app = await aTestApp();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  await api.saved('https://sea.example/1', { tags: 'sea', title: 'At sea' });
  await api.saved('https://long.example/a-very-long-address-of-a-page/without-a-title', {
    tags: 'sea',
  });
  await api.saved('https://sea.example/2', {
    ...{ tags: 'sea', title: 'A coast with a name that is much longer than one line of a phone' },
  });
  await api.saved('https://land.example/', { tags: 'land', title: 'On land' });
});

const newContext = (): Promise<BrowserContext> =>
  browser.newContext({ baseURL: app.url, bypassCSP: true, viewport: { width: 390, height: 800 } });

/** Checks a page on a small and on a large screen, with both color schemes. */
async function check(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      if (process.env['SCREENSHOTS'] !== undefined) {
        const path = `${process.env['SCREENSHOTS']}/${name}-${width}-${colorScheme}.png`;
        await page.screenshot({ path });
      }
    }
    expect(await violationsOf(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 800 });
}

/** Filters the list by the tag of the sea, and saves the view as a list in two clicks. */
async function saveList(page: Page): Promise<void> {
  await page.goto('/list');
  await page.getByText('Filter', { exact: true }).click();
  await page.locator('#filter-tag').fill('sea');
  await page.getByRole('button', { name: 'Apply filters' }).click();
  await page.waitForURL(/tag=sea/);
  await page.getByText('Save as a list').click();
  await page.locator('#list-name').fill('By the sea');
  await page.getByRole('button', { name: 'Save list' }).click();
  await page.waitForURL(/list=By/);
}

const titlesOn = (page: Page): Promise<string[]> =>
  page.locator('.shared-items h2').allTextContents();

it('a user saves a list, follows it everywhere, publishes it and revokes it', async () => {
  const page = await (await newContext()).newPage();
  await logIn(page, api.user);
  await saveList(page);

  await page.goto('/list');
  await page.locator('.tabs').getByText('By the sea').click();
  await page.waitForURL(/list=By/);
  await page.getByText('At sea').first().waitFor();
  expect(await page.getByText('On land').count()).toBe(0);

  await page.getByRole('link', { name: 'Edit list' }).click();
  await page.getByLabel('Feed', { exact: true }).selectOption('excerpts');
  await page.getByLabel('Show in the catalogue for e-readers').check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The list is saved.').waitFor();
  const feed = await page.getByRole('link', { name: 'By the sea as Atom' }).getAttribute('href');
  const entries = await (await page.request.get(feed ?? '')).text();
  expect(entries).toContain('At sea');
  expect(entries).not.toContain('On land');
  const catalogue = await CatalogueReader.of(app, api.user);
  const shelves = (await catalogue.feed('/opds')).entries;
  const shelf = shelves.find(({ title }) => title === 'By the sea');
  expect((await catalogue.feed(shelf?.href ?? '')).entries).toHaveLength(3);

  await page.getByRole('link', { name: 'Edit list' }).click();
  await page.getByLabel('Anyone with the address can see this list').check();
  await page.getByRole('button', { name: 'Save public page' }).click();
  await page.getByText('The public page is saved.').waitFor();
  await check(page, 'edit-list');
  const address = await page
    .getByRole('link', { name: 'Open the public page' })
    .getAttribute('href');

  const stranger = await newContext();
  const shared = await stranger.newPage();
  await shared.goto(address ?? '');
  await shared.getByText(`A list by ${api.user.name}`).waitFor();
  expect(await titlesOn(shared)).toHaveLength(3);
  expect(await shared.getByText('On land').count()).toBe(0);
  await check(shared, 'public-list');
  expect(await stranger.cookies()).toEqual([]);

  await page.getByLabel('Anyone with the address can see this list').uncheck();
  await page.getByRole('button', { name: 'Save public page' }).click();
  await page.getByText('The public page is turned off.').waitFor();
  const answer = await shared.reload();
  expect(answer?.status()).toBe(404);
  await shared.getByText('There is no public list at this address.').waitFor();
  expect((await stranger.request.get(`${address ?? ''}.atom`)).status()).toBe(404);
});
