import { setTimeout as pause } from 'node:timers/promises';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { PASSWORD } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { launchChromium } from '../support/chromium.js';
import { PictureSite } from '../support/picture-site.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let site: PictureSite;
let app: TestApp;
let api: ReadingListApi;
let browser: Browser;
let id: string;

beforeAll(async () => {
  site = await PictureSite.served();
  app = await aTestApp({
    config: {
      ...{ resolverConcurrency: 2, resolveWaitMs: 10_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  api = await ReadingListApi.of(app);
  const pictures = Array.from({ length: 12 }, () => '/photo.jpg');
  id = await api.saved(site.article('long', ...pictures));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await site.stop();
});

async function opened(context: BrowserContext, path = `/read/${id}`): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${app.url}/auth/login`);
  await page.getByLabel('Email address').fill(api.user.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.goto(`${app.url}${path}`);
  await page.waitForSelector('#article-text');
  return page;
}

async function keptParagraph(): Promise<number> {
  for (;;) {
    const [row] = await app.database.query<{ paragraph: number }>(
      'SELECT paragraph FROM reading_positions',
    );
    if (row !== undefined) {
      return row.paragraph;
    }
    await pause(100);
  }
}

const selectFirstWords = (page: Page) =>
  page.evaluate(`{
    const words = document.querySelector('#article-text p').firstChild;
    getSelection().setBaseAndExtent(words, 0, words, 20);
  }`);

it('words are marked by a key, with a note, and the place is taken up on another device', async () => {
  const [laptop, phone] = await Promise.all([
    browser.newContext({ viewport: { width: 1280, height: 800 } }),
    browser.newContext({ viewport: { width: 360, height: 640 } }),
  ]);
  const page = await opened(laptop);
  const complaints: string[] = [];
  page.on('console', (message) => {
    complaints.push(...(message.text().includes('Content Security') ? [message.text()] : []));
  });

  await selectFirstWords(page);
  await page.waitForSelector('#selection-bar:not([hidden])');
  await page.keyboard.press('h');
  await page.waitForSelector('mark.highlight');
  expect(await page.locator('mark.highlight').first().innerText()).toBe('Every plain sentence');
  await page.getByText('Note, delete').click();
  await page.getByLabel('Note').first().fill('to remember');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.waitForSelector('.note:has-text("to remember")');

  await page.goto(`${app.url}/read/${id}`);
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 1500);
  // Chromium tells tests nothing of calls that outlive their page.
  const paragraph = await keptParagraph();

  const other = await opened(phone);
  const place = other.locator(`#p-${paragraph}`);
  await expect(
    place.evaluate('(element) => Math.abs(element.getBoundingClientRect().top) < 60'),
  ).resolves.toBe(true);
  expect(paragraph).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
  await Promise.all([laptop.close(), phone.close()]);
});

it.each(['light', 'dark', 'sepia'])('axe finds nothing: %s', async (theme) => {
  const found: string[] = [];
  for (const width of [360, 1280]) {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      bypassCSP: true,
    });
    const page = await opened(context);
    await page.getByLabel('Colours').selectOption(theme);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForSelector(`html[data-theme="${theme}"] #article-text`);
    found.push(...(await violationsOf(page)));
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await page.goto(`${app.url}/highlights`);
    found.push(...(await violationsOf(page)));
    await context.close();
  }

  expect(found).toEqual([]);
});
