import type { Browser, BrowserContext, Page } from 'playwright-core';

import { PASSWORD } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { PictureSite } from '../support/picture-site.js';
import { until } from '../support/processes.js';
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
      ...{ resolverConcurrency: 2, resolveWaitMs: 60_000 },
      resolverAllows: { addresses: ['127.0.0.1'], ports: [site.port] },
    },
  });
  api = await ReadingListApi.of(app);
  const pictures = Array.from({ length: 40 }, () => '/photo.webp');
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
  // Navigating before the form is answered would cancel the login.
  await page.waitForURL(/\/list/);
  // On a busy machine, the service may answer 503: the reader would load the page again.
  await until(async () => (await page.goto(`${app.url}${path}`))?.ok() === true);
  await page.waitForSelector('#article-text');
  return page;
}

/** Playwright does not report requests that outlive their page, so this polls the database. */
async function isKept(itemId: string, condition: string): Promise<void> {
  const found = () =>
    app.database.query(`SELECT FROM reading_positions WHERE item_id = $1 AND ${condition}`, [
      itemId,
    ]);
  await until(async () => (await found()).length > 0, `a place where ${condition}`);
}

/** Returns the position of the paragraph at the window's upper edge. The page was given its number. */
const takenUp = async (page: Page): Promise<{ number: number; top: number }> =>
  page.evaluate(`(() => {
    const number = Number(document.getElementById('reading').dataset.paragraph);
    const top = document.getElementById('p-' + number).getBoundingClientRect().top;
    return { number, top };
  })()`);

const selectFirstWords = (page: Page) =>
  page.evaluate(`{
    const words = document.querySelector('#article-text p').firstChild;
    getSelection().setBaseAndExtent(words, 0, words, 20);
  }`);

it('a user highlights text with a key and adds a note', async () => {
  const laptop = await browser.newContext({ viewport: { width: 1280, height: 800 } });
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
  const entry = page.locator('#highlights .cards > li');
  await entry.getByText('Edit or delete').click();
  await entry.getByLabel('Note').fill('to remember');
  await entry.getByRole('button', { name: 'Save' }).click();
  await page.waitForSelector('.note:has-text("to remember")');

  expect(complaints).toEqual([]);
  await laptop.close();
});

it('the reading position is stored while scrolling and restored on another device', async () => {
  const [laptop, phone] = await Promise.all([
    browser.newContext({ viewport: { width: 1280, height: 800 } }),
    browser.newContext({ viewport: { width: 360, height: 640 } }),
  ]);
  const page = await opened(laptop);
  await page.mouse.move(300, 300);

  await page.mouse.wheel(0, 1500);
  await isKept(id, 'fraction > 0 AND paragraph > 0');
  const there = await takenUp(await opened(phone));

  expect(there.number).toBeGreaterThan(0);
  expect(there.top).toBeLessThan(640);
  await Promise.all([laptop.close(), phone.close()]);
});

it('the reading position is stored when the user leaves the page before the next timed save', async () => {
  const paragraphs = Array.from(
    { length: 300 },
    (_, at) => `<p>${at}. ${'Plain words. '.repeat(20)}</p>`,
  );
  const html = `<article><h1>A long read</h1>${paragraphs.join('')}</article>`;
  const longId = await api.saved('https://long.example/read', { html });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addInitScript('window.setTimeout = () => 0');
  const page = await opened(context, `/read/${longId}`);
  await page.mouse.move(300, 300);

  await page.mouse.wheel(0, 6000);
  await until(async () => (await page.evaluate('scrollY')) === 6000, 'the place scrolled to');
  const { top, height } = await page.evaluate<{ top: number; height: number }>(
    `document.getElementById('article-text').getBoundingClientRect().toJSON()`,
  );
  await page.goto(`${app.url}/list`);

  const fraction = -top / (height - 800);
  await isKept(longId, `abs(fraction - ${fraction}) < 0.001 AND paragraph > 0`);
  await context.close();
});

it('the article page runs no inserted scripts and prints without its buttons', async () => {
  const context = await browser.newContext();
  const page = await opened(context);
  const complaint = page.waitForEvent('console', (one) => one.text().includes('Content Security'));

  await page.evaluate(`{
    const script = document.createElement('script');
    script.textContent = 'window.hasRun = true';
    document.body.append(script);
    const picture = document.createElement('div');
    picture.innerHTML = '<img src="/none.png" alt="The pier in fog" onerror="window.hasRun = true">';
    document.getElementById('article-text').append(picture);
  }`);
  await complaint;
  await until(
    () => page.evaluate<boolean>(`document.querySelector('img[onerror]').complete`),
    'the picture that is not there',
  );
  expect(await page.evaluate('window.hasRun')).toBeUndefined();
  expect(await page.locator('img[onerror]').isVisible()).toBe(false);
  expect(await page.getByText('The pier in fog').isVisible()).toBe(true);

  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('button:visible, input:visible, textarea:visible').count()).toBe(0);
  expect(await page.locator('h1').isVisible()).toBe(true);
  expect(await page.locator('#article-text p').first().isVisible()).toBe(true);
  await context.close();
});

it.each(['light', 'dark', 'sepia'])('reader pages have no axe violations: %s', async (theme) => {
  const found: string[] = [];
  for (const width of [360, 1280]) {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      bypassCSP: true,
    });
    const page = await opened(context);
    await page.getByLabel('Text settings').click();
    if ((await page.locator(`html[data-theme="${theme}"]`).count()) === 0) {
      await page.locator(`[name="theme"][value="${theme}"]`).check();
      await page.getByText('Saved.').waitFor();
    }
    await page.waitForSelector(`html[data-theme="${theme}"] #article-text`);
    found.push(...(await violationsOf(page)));
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.goto(`${app.url}/highlights`);
    found.push(...(await violationsOf(page)));
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await context.close();
  }

  expect(found).toEqual([]);
});
