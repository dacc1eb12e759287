import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { PASSWORD } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { until } from '../support/processes.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const LAPTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const WORDS = 'Plain words about the harbour and its lamps. '.repeat(20);
const CODE = Array.from({ length: 6 }, (_, at) => `lamp${at} = ${'light + '.repeat(30)}1`).join(
  '\n',
);
const CELLS = Array.from({ length: 14 }, (_, at) => `Measurement${at}`);
const row = (tag: string) => `<tr>${CELLS.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
const ARTICLE = `<title>The harbour</title><article><h1>The harbour</h1><p>${WORDS}</p>
  <h2>Lamps</h2><p>${WORDS}</p><p>${WORDS}</p><pre><code>${CODE}</code></pre><p>${WORDS}</p>
  <h2>Tides</h2><p>${WORDS}</p><table>${row('th')}${row('td')}</table><p>${WORDS}</p>
  <h3>At night</h3>${`<p>${WORDS}</p>`.repeat(12)}</article>`;

let app: TestApp;
let api: ReadingListApi;
let browser: Browser;
let id: string;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
  api = await ReadingListApi.of(app);
  id = await api.saved('https://harbour.example/', { html: ARTICLE });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function opened(options: BrowserContextOptions): Promise<[BrowserContext, Page]> {
  const context = await browser.newContext({ baseURL: app.url, ...options });
  const page = await context.newPage();
  await page.goto('/auth/login');
  await page.getByLabel('Email address').fill(api.user.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.waitForURL(/\/list/);
  await page.goto(`/read/${id}`);
  await page.waitForSelector('#article-text');
  return [context, page];
}

/** Returns true if the whole bar is inside the window. */
const isShown = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const { top, bottom } = document.getElementById('bar').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);

/** Scrolls in steps, as a wheel or a finger does. */
async function scrolled(page: Page, by: number): Promise<void> {
  const steps = Math.ceil(Math.abs(by) / 200);
  for (let step = 0; step < steps; step += 1) {
    const before = await page.evaluate<number>('scrollY');
    await page.mouse.wheel(0, by / steps);
    const after = before + by / steps;
    await until(async () => (await page.evaluate<number>('scrollY')) === after, 'the scroll');
  }
}

it.each([
  ['at the top on a laptop', LAPTOP],
  ['at the bottom on a phone', PHONE],
])('the bar hides while scrolling down and returns while scrolling up: %s', async (_, viewport) => {
  const [context, page] = await opened({ viewport, reducedMotion: 'reduce' });
  await page.mouse.move(200, 300);
  expect(await isShown(page)).toBe(true);

  await scrolled(page, 1200);
  await until(async () => !(await isShown(page)), 'the bar hides');
  await scrolled(page, -100);
  await until(() => isShown(page), 'the bar returns');
  expect((await page.locator('#bar').boundingBox())?.y === 0).toBe(viewport === LAPTOP);

  await scrolled(page, 600);
  await until(async () => !(await isShown(page)), 'the bar hides again');
  await page.locator('#bar a').first().focus();
  await page.keyboard.press('Tab');
  await until(() => isShown(page), 'the bar returns for the keyboard');
  await context.close();
});

it('the bar stays above the article without scripts, and its menus open', async () => {
  const [context, page] = await opened({ viewport: PHONE, javaScriptEnabled: false });

  await page.getByLabel('Text settings').click();
  await page.locator('[name="theme"][value="dark"]').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  await page.waitForSelector('html[data-theme="dark"] #article-text');
  const [bar, heading] = [
    await page.locator('#bar').boundingBox(),
    await page.locator('h1').boundingBox(),
  ];
  expect(bar?.y).toBeLessThan(heading?.y ?? 0);
  expect(await page.getByRole('button', { name: 'Save my place' }).count()).toBe(1);
  await context.close();
});

it('text settings apply at once, save themselves, and appear on another device', async () => {
  const [laptop, page] = await opened({ viewport: LAPTOP });
  const [phone, other] = await opened({ viewport: PHONE });
  const sizeOf = (one: Page) =>
    one.evaluate<string>(`getComputedStyle(document.getElementById('article-text')).fontSize`);
  const before = await sizeOf(page);

  await page.getByLabel('Text settings').click();
  await page.getByLabel('Largest').check();
  await page.getByLabel('Easy to tell apart').check();
  await page.getByLabel('Justified').check();
  expect(await sizeOf(page)).not.toBe(before);
  await page.getByText('Saved.').waitFor();
  await until(async () => {
    const fonts = await page.evaluate<string[]>(
      `[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`,
    );
    return fonts.some((family) => family.includes('Atkinson'));
  }, 'the font');
  await page.keyboard.press('Escape');
  expect(await page.locator('#appearance').getAttribute('open')).toBeNull();
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
    'Text settings',
  );

  await other.reload();
  expect(await other.locator('html').getAttribute('data-face')).toBe('legible');
  expect(await other.locator('html').getAttribute('data-alignment')).toBe('justify');
  expect(await sizeOf(other)).toBe(await sizeOf(page));
  await Promise.all([laptop.close(), phone.close()]);
});

it('text settings of one tab stay when another tab saves other settings', async () => {
  const [context, page] = await opened({ viewport: LAPTOP });
  const other = await context.newPage();
  await other.goto(`/read/${id}`);

  await page.getByLabel('Text settings').click();
  await page.getByLabel('Wide').check();
  await page.getByText('Saved.').waitFor();
  await other.getByLabel('Text settings').click();
  await other.getByLabel('Loose').check();
  await other.getByText('Saved.').waitFor();
  await page.reload();

  expect(await page.locator('html').getAttribute('data-width')).toBe('wide');
  expect(await page.locator('html').getAttribute('data-spacing')).toBe('loose');
  await context.close();
});

it('the star changes in place, and the key marks the article again', async () => {
  const [context, page] = await opened({ viewport: LAPTOP });
  const star = page.getByRole('button', { name: 'Favorite' });
  const isFavorite = async () => (await api.item(id))?.favorite === '1';

  await star.click();
  await page.waitForSelector('#favorite-form [aria-pressed="true"]');
  expect(await isFavorite()).toBe(true);
  await page.keyboard.press('f');
  await page.waitForSelector('#favorite-form [aria-pressed="false"]');
  expect(await isFavorite()).toBe(false);
  await context.close();
});

it('the table of contents leads to the headings, and code can be copied', async () => {
  const [context, page] = await opened({
    viewport: PHONE,
    permissions: ['clipboard-read', 'clipboard-write'],
  });

  await page.locator('#more > summary').click();
  await page.locator('#more').getByRole('link', { name: 'Contents' }).click();
  await page.locator('.contents').getByRole('link', { name: 'At night' }).click();
  const heading = page.getByRole('heading', { name: 'At night' });
  await until(async () => ((await heading.boundingBox())?.y ?? Infinity) < 250, 'the heading');
  await page.getByRole('button', { name: 'Copy code' }).click();
  await page.getByText('Copied.').waitFor({ state: 'attached' });
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(CODE);
  await context.close();
});

it('code can be copied if the browser refuses to write to the clipboard', async () => {
  const [context, page] = await opened({ viewport: LAPTOP, permissions: ['clipboard-read'] });
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`);

  await page.getByRole('button', { name: 'Copy code' }).click();

  await page.getByText('Copied.').waitFor({ state: 'attached' });
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(CODE);
  await context.close();
});

it.each(['light', 'dark'] as const)(
  'articles with wide parts fit each window: %s',
  async (colorScheme) => {
    const found: string[] = [];
    for (const width of [320, 390, 1280]) {
      const [context, page] = await opened({
        viewport: { width, height: 800 },
        colorScheme,
        bypassCSP: true,
      });
      await page.evaluate(`document.documentElement.dataset.theme = 'auto'`);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      const table = page.getByRole('region', { name: 'Table' });
      await table.focus();
      await page.keyboard.press('ArrowRight');
      await until(
        () => page.evaluate<boolean>(`document.querySelector('.wide').scrollLeft > 0`),
        'the table scrolls',
      );
      for (const menu of ['#appearance', '#more']) {
        await page.locator(`${menu} > summary`).click();
        found.push(...(await violationsOf(page)));
        expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      }
      await page.goto(`/read/${id}/edit`);
      found.push(...(await violationsOf(page)));
      await context.close();
    }

    expect(found).toEqual([]);
  },
);
