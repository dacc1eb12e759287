// Retakes the screenshots of the documentation with the built service, six saved pages, and Chromium.
//   npm run screenshots [-- --every DIR]   takes every page in both widths, light and dark, for visual checks in DIR
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';
import sharp from 'sharp';

import { ARTICLES, MISSING } from './screenshots/articles.mjs';
import { serviceStarted } from './screenshots/service.mjs';
import { siteServed } from './screenshots/site.mjs';

const { values: given } = parseArgs({ options: { every: { type: 'string' } } });
const IMAGES = 'docs/images';
const DESKTOP = { width: 1280, height: 800 };
const READ_WITHIN_MS = 120_000;
const PLACE_MS = 3000;
const PHONE = { width: 360, height: 640 };
/** A voice that stays in the first sentence, because headless Chromium has no voices. */
const SILENT_VOICE = `
  const voices = [{ name: 'Ada', lang: 'en-GB', voiceURI: 'ada', localService: true, default: true }];
  const synthesis = { getVoices: () => voices, speaking: false, pending: false, paused: false };
  const speech = Object.assign(new EventTarget(), synthesis, { cancel() {}, resume() {} });
  speech.speak = (utterance) => queueMicrotask(() => utterance.onstart?.({}));
  Object.defineProperty(window, 'speechSynthesis', { value: speech });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };`;
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

/** Scrolls the article after it has opened at the reading position, and waits until the new position is stored. */
async function scrolled(page, script) {
  await page.waitForTimeout(PLACE_MS);
  await page.evaluate(script);
  await page.waitForTimeout(PLACE_MS);
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
  // The whole article fits into the wide window, so it would be 100% read.
  await page.setViewportSize(PHONE);
  await page.goto(page.url());
  await scrolled(page, `document.querySelector('mark.highlight').scrollIntoView({ block: 'end' })`);
  return new URL(page.url()).pathname;
}

async function chosen(page, url, article, theme) {
  await page.goto(`${url}${article}`);
  await page.getByLabel('Text settings').click();
  await page.locator(`[name="theme"][value="${theme}"]`).check();
  await page.getByText('Saved.').waitFor();
}

/** True if all pictures in the window are loaded, and the fonts too. */
const ALL_SHOWN = `document.fonts.status === 'loaded' && [...document.images].every((image) => {
  const { top, bottom } = image.getBoundingClientRect();
  return image.complete || bottom < 0 || top > innerHeight;
})`;

/** Takes a screenshot of the window with loaded pictures, and reduces its colors. */
async function taken(page, name) {
  // The content security policy of the page does not allow `waitForFunction`.
  while (!(await page.evaluate(ALL_SHOWN))) {
    await page.waitForTimeout(100);
  }
  const file = join(IMAGES, `${name}.png`);
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(file);
  console.log(file);
}

async function layoutChosen(page, layout) {
  await page.locator(`.layouts [value="${layout}"]`).click();
  await page.locator(`.items[data-layout="${layout}"]`).waitFor();
}

/** Takes a screenshot of an article that is being read aloud. A silent voice replaces those of the browser. */
async function listening(browser, page, url, article) {
  const { cookies } = await page.context().storageState();
  const context = await browser.newContext({
    viewport: DESKTOP,
    serviceWorkers: 'block',
    // Otherwise, a picture could show the bar while it moves.
    reducedMotion: 'reduce',
  });
  await context.addCookies(cookies);
  await context.addInitScript(SILENT_VOICE);
  context.setDefaultTimeout(READ_WITHIN_MS);
  const listener = await context.newPage();
  await listener.goto(`${url}${article}`);
  await listener.getByRole('button', { name: 'Listen', exact: true }).click();
  await listener.getByRole('button', { name: 'Next sentence' }).click();
  await listener.getByRole('button', { name: 'Next sentence' }).click();
  await taken(listener, 'listening');
  await context.close();
}

async function pictures(browser, page, url, article) {
  await page.setViewportSize(DESKTOP);
  await page.goto(`${url}/list`);
  for (const layout of ['compact', 'cards', 'list']) {
    await layoutChosen(page, layout);
    await taken(page, layout === 'list' ? 'list' : `list-${layout}`);
  }
  await page.setViewportSize(PHONE);
  await taken(page, 'phone');
  await page.setViewportSize(DESKTOP);
  await listening(browser, page, url, article);
  await chosen(page, url, article, 'sepia');
  await page.setViewportSize(PHONE);
  await page.goto(`${url}${article}`);
  await scrolled(page, 'scrollTo(0, 0)');
  await taken(page, 'article');
  await chosen(page, url, article, 'dark');
  await page.goto(`${url}${article}`);
  await scrolled(
    page,
    `document.querySelector('mark.highlight').scrollIntoView({ block: 'center' })`,
  );
  await taken(page, 'highlight');
  await page.setViewportSize(DESKTOP);
  await page.goto(`${url}/list`);
  await taken(page, 'dark');
}

/** Makes one item a favorite, so that the list shows its star. */
async function favored(page, url, { title }) {
  await page.goto(`${url}/list`);
  const item = page.locator('.items > li').filter({ hasText: title });
  await item.getByRole('button', { name: 'Favorite' }).click();
  await page.getByText('Added to favorites.').waitFor();
}

/** Fills the trash, and the view of pages that could not be fetched. */
async function discarded(page, url, port) {
  const { host, path, title } = MISSING;
  for (const address of [`http://${host}:${port}${path}`, `http://${host}:${port}${path}/two`]) {
    await page.goto(`${url}/save?${new URLSearchParams({ url: address, title })}`);
    await page.getByRole('heading', { name: 'Saved' }).waitFor();
  }
  const end = Date.now() + READ_WITHIN_MS;
  do {
    await page.waitForTimeout(1000);
    await page.goto(`${url}/list?state=failed`);
  } while ((await page.locator('.items > li').count()) < 2 && Date.now() < end);
  await page.locator('.items .pick input').first().check();
  await page.locator('.bulk [value="delete"]').click();
  await page.getByText('Deleted.').waitFor();
}

const PLACES = (article) => ({
  ...{
    list: '/list',
    article,
    tags: '/list/tags/all',
    tag: '/list/tags/edit?tag=sea',
    save: '/save',
    highlights: '/highlights',
  },
  ...{ 'edit-tags': `/list/tags?item=${article.split('/').at(-1)}`, account: '/account' },
  ...{ saved: `/save/done?item=${article.split('/').at(-1)}&new=1`, empty: '/list?state=archive' },
  ...{ search: '/list?search=lamp', filters: '/list?tag=travel&time=short' },
  ...{ trash: '/list/trash', failed: '/list?state=failed', edit: `${article}/edit` },
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
  // The service worker would store all articles while the pictures are taken.
  const page = await browser.newPage({
    ...{ viewport: DESKTOP, colorScheme: 'light', serviceWorkers: 'block' },
  });
  page.setDefaultTimeout(READ_WITHIN_MS);
  await page.addInitScript(SILENT_VOICE);
  await registered(page, service.url);
  if (given.every === undefined) {
    await taken(page, 'first-steps');
  }
  await saved(page, service.url, site.address().port);
  const article = await highlighted(page, service.url);
  await favored(page, service.url, ARTICLES.at(-2));
  if (given.every === undefined) {
    await pictures(browser, page, service.url, article);
  } else {
    await discarded(page, service.url, site.address().port);
    await every(browser, page, service.url, article);
  }
} finally {
  await browser.close();
  await service.end();
  site.close();
}
