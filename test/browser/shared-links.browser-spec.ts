import type { Browser, BrowserContext, Page } from 'playwright-core';

import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { PictureSite } from '../support/picture-site.js';
import { logIn } from '../support/reader-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await site.stop();
});

const context = (): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: app.url,
    bypassCSP: true,
    permissions: ['clipboard-read', 'clipboard-write'],
    viewport: { width: 390, height: 800 },
  });

/** Checks a page on a small screen and with both color schemes. */
async function check(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    if (process.env['SCREENSHOTS'] !== undefined) {
      await page.screenshot({ path: `${process.env['SCREENSHOTS']}/${name}-${colorScheme}.png` });
    }
  }
}

it('a user shares an article, a stranger reads it, and the user revokes the link', async () => {
  const api = await ReadingListApi.of(app);
  const id = await api.saved(site.article('shared', '/drawing.png'));
  const page = await (await context()).newPage();
  await logIn(page, api.user);
  await page.goto(`/read/${id}`);
  await page.locator('#share summary').click();
  await page.getByLabel('Expires').selectOption('7');
  await page.locator('#share').getByRole('button', { name: 'Create link' }).click();
  const field = page.locator('#share-link');
  const link = await field.inputValue();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied.').waitFor();
  await check(page, 'article');

  const stranger = await context();
  const shared = await stranger.newPage();
  await shared.goto(link);
  await shared.getByText(`Shared by ${api.user.name}`).waitFor();
  const picture = shared.locator('article img');
  await picture.scrollIntoViewIfNeeded();
  await shared.waitForFunction(`document.querySelector('article img').naturalWidth > 0`);
  await shared.evaluate('scrollTo(0, 0)');
  await check(shared, 'shared');
  expect(await stranger.cookies()).toEqual([]);

  await page.goto('/account/shared-links');
  await check(page, 'account');
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await page.getByText('Link revoked.').waitFor();

  const answer = await shared.reload();
  expect(answer?.status()).toBe(404);
  await shared.getByText('This link does not work.').waitFor();
});
