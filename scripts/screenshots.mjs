// Retakes the screenshots of the documentation with the built service, six saved pages, and Chromium.
//   npm run screenshots [-- --every DIR]   takes every page in both widths, light and dark, for visual checks in DIR
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';
import sharp from 'sharp';

import { ARTICLES } from './screenshots/articles.mjs';
import { serviceStarted } from './screenshots/service.mjs';
import { siteServed } from './screenshots/site.mjs';

const { values: given } = parseArgs({ options: { every: { type: 'string' } } });
const IMAGES = 'docs/images';
const DESKTOP = { width: 1280, height: 800 };
const READ_WITHIN_MS = 120_000;
const PHONE = { width: 360, height: 640 };
const ADA = { name: 'Ada', email: 'ada@example.com', password: 'a long pass phrase' };

async function registered(page, url) {
  await page.goto(`${url}/auth/register`);
  await page.getByLabel('Name').fill(ADA.name);
  await page.getByLabel('Email address').fill(ADA.email);
  await page.getByLabel('Password').fill(ADA.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(/\/list/);
}

/** Saves the articles. Waits until the list shows the reading time of each. */
async function saved(page, url, port) {
  for (const { host, path, title, tags } of ARTICLES) {
    const address = `http://${host}:${port}${path}`;
    await page.goto(`${url}/save?${new URLSearchParams({ url: address, title, tags })}`);
    await page.getByRole('heading', { name: 'Saved' }).waitFor();
  }
  await page.goto(`${url}/list`);
  const end = Date.now() + READ_WITHIN_MS;
  while ((await page.getByText(/^\d+ min$/).count()) < ARTICLES.length) {
    if (Date.now() > end) {
      throw new Error('Not all pages were read in time: is this machine busy?');
    }
    await page.waitForTimeout(1000);
    await page.goto(`${url}/list`, { waitUntil: 'domcontentloaded' });
    await triedAgain(page);
    await page.goto(`${url}/list`, { waitUntil: 'domcontentloaded' });
  }
}

/** Requests pages again that timed out on a busy machine. */
async function triedAgain(page) {
  const unread = page.locator('.items > li').filter({ hasNotText: / min\b/ });
  const links = await unread.locator('h2 a').evaluateAll((all) => all.map(({ href }) => href));
  for (const link of links) {
    await page.goto(link, { waitUntil: 'domcontentloaded' });
    const button = page.getByRole('button', { name: 'Try again' });
    if (await button.isVisible()) await button.click();
  }
}

async function highlighted(page, url) {
  await page.goto(`${url}/list`);
  await page.getByRole('link', { name: ARTICLES.at(-1).title }).click();
  await page.waitForSelector('#article-text');
  await page.getByText('Add a highlight').click();
  await page.getByLabel('Text to highlight').fill('A light is a promise that somebody is awake.');
  await page.locator('#highlight-form').getByLabel('Note').fill('For the talk in spring.');
  await page.locator('#highlight-form').getByRole('button', { name: 'Highlight' }).click();
  await page.waitForSelector('mark.highlight');
  return new URL(page.url()).pathname;
}

async function chosen(page, url, article, theme) {
  await page.goto(`${url}${article}`);
  await page.getByLabel('Colors').selectOption(theme);
  await page.locator('.appearance button').click();
  await page.waitForSelector(`html[data-theme="${theme}"]`);
}

/** Takes a screenshot of the window with loaded pictures, and reduces its colors. */
async function taken(page, name) {
  await page.waitForFunction(
    `[...document.images].every(({ complete, loading }) => complete || loading === 'lazy')`,
  );
  await page.waitForLoadState('networkidle');
  const file = join(IMAGES, `${name}.png`);
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(file);
  console.log(file);
}

async function pictures(page, url, article) {
  await page.setViewportSize(DESKTOP);
  await page.goto(`${url}/list`);
  await taken(page, 'list');
  await chosen(page, url, article, 'sepia');
  await page.setViewportSize(PHONE);
  await page.goto(`${url}${article}`);
  await page.evaluate('scrollTo(0, 0)');
  await taken(page, 'article');
  await chosen(page, url, article, 'dark');
  await page.goto(`${url}${article}`);
  await page
    .locator('mark.highlight')
    .first()
    .evaluate((mark) => mark.scrollIntoView({ block: 'center' }));
  await taken(page, 'highlight');
}

const PLACES = (article) => ({
  ...{ list: '/list', article, tags: '/list/tags/all', save: '/save', highlights: '/highlights' },
  ...{ 'edit-tags': `/list/tags?item=${article.split('/').at(-1)}`, account: '/account' },
  ...{ saved: `/save/done?item=${article.split('/').at(-1)}&new=1`, empty: '/list?state=archive' },
  search: '/list?search=lamp',
  ...{ sample: '/welcome', extension: '/account/extension', phone: '/account/phone' },
  ...{ profile: '/account/profile', security: '/account/security', devices: '/account/devices' },
  ...{ data: '/account/data', reading: '/account/reading', delete: '/account/delete' },
});

async function every(browser, page, url, article) {
  mkdirSync(given.every, { recursive: true });
  const visitor = await browser.newPage();
  const places = [
    ...Object.entries(PLACES(article)).map((place) => [page, ...place]),
    ...[
      [visitor, 'welcome', '/'],
      [visitor, 'login', '/auth/login'],
    ],
    [visitor, 'register', '/auth/register'],
  ];
  for (const [of, name, path] of places) {
    await of.goto(`${url}${path}`);
    for (const size of [DESKTOP, PHONE]) {
      await of.setViewportSize(size);
      await of.evaluate('scrollTo(0, 0)');
      for (const colorScheme of ['light', 'dark']) {
        await of.emulateMedia({ colorScheme });
        const file = join(given.every, `${name}-${size.width}-${colorScheme}.png`);
        await of.screenshot({ path: file, fullPage: size === PHONE });
      }
    }
  }
}

const site = await siteServed();
const service = await serviceStarted(site.address().port);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage({ viewport: DESKTOP, colorScheme: 'light' });
  await registered(page, service.url);
  await saved(page, service.url, site.address().port);
  const article = await highlighted(page, service.url);
  await (given.every === undefined
    ? pictures(page, service.url, article)
    : every(browser, page, service.url, article));
} finally {
  await browser.close();
  await service.end();
  site.close();
}
