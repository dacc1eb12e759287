import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { logIn } from '../support/reader-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const SMALL = { width: 320, height: 640 };
const PHONE = { width: 390, height: 844 };
const LAPTOP = { width: 1280, height: 800 };
const WORDS = 'Plain words about the harbour and its lamps, which keepers trim at dusk. '.repeat(9);
const ARTICLE = `<title>The harbour</title><meta name="author" content="Ada Keeper">
  <article><h1>The harbour</h1><p>${WORDS}</p><p>A light is a promise. ${WORDS}</p>
  <p>Nine <a href="https://lamps.example/">lamps</a> burn. ${WORDS}</p>
  ${`<p>${WORDS}</p>`.repeat(8)}</article>`;
const QUOTE = 'A light is a promise.';

let app: TestApp;
let api: ReadingListApi;
let browser: Browser;
let id: string;

beforeAll(async () => {
  app = await aTestApp({ config: { resolveWaitMs: 60_000 } });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  api = await ReadingListApi.of(app);
  id = await api.saved('https://harbour.example/', { html: ARTICLE });
});

async function opened(options: BrowserContextOptions): Promise<[BrowserContext, Page]> {
  const context = await browser.newContext({
    ...{ baseURL: app.url, bypassCSP: true, reducedMotion: 'reduce' },
    ...options,
  });
  const page = await context.newPage();
  await logIn(page, api.user);
  await page.goto(`/read/${id}`);
  await page.waitForSelector('#article-text');
  return [context, page];
}

const SELECT = `{
  const words = document.querySelectorAll('#article-text p')[4].firstChild;
  getSelection().setBaseAndExtent(words, 0, words, 10);
}`;

it.each(['light', 'dark', 'sepia'])('the open panel has no axe violations: %s', async (theme) => {
  const colors = ['yellow', 'green', 'blue', 'pink'];
  const quotes = [QUOTE, 'Nine lamps', 'Plain words', 'keepers trim'];
  await api.results(
    ...quotes.map((quote, at) => ({
      ...{ action: 'add_annotation', item_id: id },
      annotation: { annotation_id: `n${at}`, quote, note: 'a note' },
    })),
    { action: 'set_note', item_id: id, note: 'The note about the article.' },
  );
  await Promise.all(
    colors.map((color, at) =>
      app.database.query(
        'UPDATE annotations SET color = $1 WHERE user_id = $2 AND annotation_id = $3',
        [color, api.user.id, `n${at}`],
      ),
    ),
  );
  for (const viewport of [SMALL, PHONE, LAPTOP]) {
    const [context, page] = await opened({ viewport });
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await page.evaluate(SELECT);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.evaluate('getSelection().removeAllRanges()');
    await page.locator('#highlight-n0').click();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await violationsOf(page)).toEqual([]);
    const panel = await page.getByRole('dialog').boundingBox();
    const mark = await page.locator('#highlight-n0').boundingBox();
    expect(panel!.y + panel!.height <= mark!.y + 1 || mark!.y + mark!.height <= panel!.y).toBe(
      true,
    );
    await page.keyboard.press('Escape');
    await page.goto('/highlights');
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  }
});
