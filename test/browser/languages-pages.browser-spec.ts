import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import {
  LANGUAGES,
  PSEUDO_LANGUAGE,
  type TextLanguage,
} from '../../src/platform/i18n/languages.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { aListOf } from '../support/list-browser.js';
import type { ReadingListApi } from '../support/reading-list-api.js';
import { storeArticle } from '../support/stored-articles.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WIDTHS = [390, 320];
const HEIGHT = 800;
const OF_VISITORS = ['/auth/login', '/auth/register'];
const OF_USERS = ['/list', '/save', '/account', '/tags', '/trash', '/highlights', '/account/keys'];

let app: TestApp;
let api: ReadingListApi;
let browser: Browser;
let id: string;
let arabic: string;

beforeAll(async () => {
  app = await aTestApp();
  api = await aListOf(app, 6);
  [id = '', arabic = ''] = (await api.items()).map(({ item_id: itemId }) => itemId);
  await storeArticle(app.database, api.user.id, id, '<p>An article in English.</p>');
  await storeArticle(app.database, api.user.id, arabic, '<p>مقالة باللغة العربية.</p>');
  const setLanguage = 'UPDATE items SET lang = $2 WHERE item_id = $1';
  await app.database.query(setLanguage, [id, 'en']);
  await app.database.query(setLanguage, [arabic, 'ar']);
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const opened = (locale: string, options: BrowserContextOptions = {}): Promise<BrowserContext> =>
  browser.newContext({
    ...{ baseURL: app.url, locale, bypassCSP: true, serviceWorkers: 'block' },
    ...{ viewport: { width: 390, height: HEIGHT }, ...options },
  });

async function logIn(context: BrowserContext): Promise<void> {
  const [name = '', value = ''] = api.user.cookie.split('=', 2);
  await context.addCookies([{ name, value, url: app.url }]);
}

/** Returns the accessibility violations of a page, and its overflow in narrow windows. */
async function problemsOf(page: Page, path: string): Promise<string[]> {
  const found: string[] = [];
  await page.goto(path);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const overflow = await overflowOf(page);
    found.push(...(overflow > 0 ? [`is ${overflow} pixels too wide at ${width}`] : []));
  }
  found.push(...(await violationsOf(page)));
  return found.map((problem) => `${path}: ${problem}`);
}

/** Returns true if the links of the navigation in the header are in one line. */
const hasOneLine = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(
    `new Set([...document.querySelectorAll('.brand nav a')].map((link) => link.offsetTop)).size === 1`,
  );

const ALL: readonly TextLanguage[] = [...LANGUAGES, PSEUDO_LANGUAGE];

describe('the main pages', () => {
  it.each(ALL)('have no violations and fit into narrow windows: %s', async (language) => {
    const context = await opened(language);
    const page = await context.newPage();
    const found: string[] = [];

    for (const path of OF_VISITORS) {
      found.push(...(await problemsOf(page, path)));
    }
    await logIn(context);
    for (const path of [...OF_USERS, `/read/${id}`]) {
      found.push(...(await problemsOf(page, path)));
    }

    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(found).toEqual([]);
    await context.close();
  });

  it.each(LANGUAGES)('have the navigation in one line at 390 pixels: %s', async (language) => {
    const context = await opened(language);
    await logIn(context);
    const page = await context.newPage();

    await page.goto('/list');
    await page.waitForLoadState('load');

    expect(await hasOneLine(page)).toBe(true);
    await context.close();
  });
});

/** Returns the distance of an element from the left edge of the window. */
const leftOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.x ?? Number.NaN;

const directionOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).direction`);

describe('a language from right to left', () => {
  it('mirrors the pages, except names and addresses from left to right', async () => {
    const [contexts, pages] = await bothPages('/list');
    const [english, mirrored] = pages;

    expect(await mirrored.locator('html').getAttribute('dir')).toBe('rtl');
    expect(await english.locator('html').getAttribute('dir')).toBeNull();
    expect(await leftOf(english, '.brand > a')).toBeLessThan(await leftOf(english, '.brand nav'));
    expect(await leftOf(mirrored, '.brand > a')).toBeGreaterThan(
      await leftOf(mirrored, '.brand nav'),
    );
    const links = mirrored.locator('.brand nav a');
    const [first, last] = [await links.first().boundingBox(), await links.last().boundingBox()];
    expect(first!.x).toBeGreaterThan(last!.x);
    expect(await directionOf(mirrored, '.items h2 a')).toBe('ltr');
    await Promise.all(contexts.map((context) => context.close()));
  });

  it('keeps the direction of articles, in both kinds of languages', async () => {
    const [contexts, pages] = await bothPages('/save');

    for (const page of pages) {
      await page.goto(`/read/${id}`);
      expect(await directionOf(page, '#article-text')).toBe('ltr');
      await page.goto(`/read/${arabic}`);
      expect(await directionOf(page, '#article-text')).toBe('rtl');
    }
    expect(await directionOf(pages[0], 'main')).toBe('ltr');
    expect(await directionOf(pages[1], 'main')).toBe('rtl');
    await Promise.all(contexts.map((context) => context.close()));
  });
});

/** Opens a page in an English and in an Arabic browser. */
async function bothPages(path: string): Promise<[BrowserContext[], [Page, Page]]> {
  const contexts = await Promise.all(['en', 'ar'].map((locale) => opened(locale)));
  const [english, mirrored] = await Promise.all(
    contexts.map(async (context) => {
      await logIn(context);
      const page = await context.newPage();
      await page.goto(path);
      return page;
    }),
  );
  return [contexts, [english!, mirrored!]];
}
