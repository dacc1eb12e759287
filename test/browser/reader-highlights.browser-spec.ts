import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { launchChromium } from '../support/chromium.js';
import { until } from '../support/processes.js';
import { logIn } from '../support/reader-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const LAPTOP = { width: 1280, height: 800 };
const WORDS = 'Plain words about the harbour and its lamps, which keepers trim at dusk. '.repeat(9);
const ARTICLE = `<title>The harbour</title><meta name="author" content="Ada Keeper">
  <article><h1>The harbour</h1><p>${WORDS}</p><p>A light is a promise. ${WORDS}</p>
  <p>Nine <a href="https://lamps.example/">lamps</a> burn. ${WORDS}</p>
  ${`<p>${WORDS}</p>`.repeat(8)}</article>`;
const QUOTE = 'A light is a promise.';
const COPIED = `“${QUOTE}”\n— The harbour, Ada Keeper, harbour.example\nhttps://harbour.example/`;

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

async function opened(options: BrowserContextOptions = {}): Promise<[BrowserContext, Page]> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({
    ...{ baseURL: app.url, viewport: LAPTOP, reducedMotion: 'reduce', permissions },
    ...options,
  });
  const page = await context.newPage();
  await logIn(page, api.user);
  await page.goto(`/read/${id}`);
  await page.waitForSelector('#article-text');
  return [context, page];
}

const highlight = (quote: string, more: object = {}): Promise<unknown> =>
  api.results({
    ...{ action: 'add_annotation', item_id: id },
    annotation: { annotation_id: 'a1', quote, ...more },
  });

const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Highlight' });
const markOf = (page: Page) => page.locator('mark.highlight').first();
const colorOf = (page: Page) => markOf(page).getAttribute('data-color');

const stored = async (): Promise<unknown[]> =>
  app.database.query('SELECT quote, color, note FROM annotations WHERE user_id = $1', [
    api.user.id,
  ]);

const becomesStored = (color: string, note: string): Promise<void> =>
  until(async () => {
    const [found] = await stored();
    return JSON.stringify(found) === JSON.stringify({ quote: QUOTE, color, note });
  }, `a ${color} highlight with the note “${note}”`);

const select = (page: Page): Promise<unknown> =>
  page.evaluate(`{
    const paragraph = document.querySelectorAll('#article-text p')[1];
    const words = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT).nextNode();
    getSelection().setBaseAndExtent(words, 0, words, ${QUOTE.length});
  }`);

const copied = (page: Page, type = 'text/plain'): Promise<string> =>
  page.evaluate<string>(
    `navigator.clipboard.read().then(([item]) => item.getType('${type}')).then((blob) => blob.text())`,
  );

it('a click opens the panel next to the highlight, where the color and the note change', async () => {
  await highlight(QUOTE);
  const [context, page] = await opened();

  await markOf(page).click();
  const panel = panelOf(page);
  await panel.getByLabel('Blue').check();
  await page.waitForSelector('mark.highlight[data-color="blue"]');
  await becomesStored('blue', '');
  await until(async () => {
    const [box, at] = await Promise.all([panel.boundingBox(), markOf(page).boundingBox()]);
    const [below, above] = [box!.y - at!.y - at!.height, at!.y - box!.y - box!.height];
    return Math.max(below, above) >= 0 && Math.max(below, above) < 30;
  }, 'the panel below or above the highlight');

  await panel.getByLabel('Note').fill('for the talk');
  await panel.getByRole('button', { name: 'Save' }).click();
  await panel.waitFor({ state: 'hidden' });
  await becomesStored('blue', 'for the talk');
  expect(await markOf(page).getAttribute('title')).toBe('Blue highlight with a note');
  expect(await page.locator('#note-a1 .note').innerText()).toBe('for the talk');
  expect(await page.locator('#note-a1 .color-name').innerText()).toBe('Blue');
  await context.close();
});

it('the keyboard opens the panel, moves within it, and returns to the highlight', async () => {
  await highlight(QUOTE);
  const [context, page] = await opened();

  await markOf(page).focus();
  await page.keyboard.press('Enter');
  await panelOf(page).waitFor();
  expect(await page.evaluate('document.activeElement.value')).toBe('yellow');
  await page.keyboard.press('ArrowRight');
  await becomesStored('green', '');
  // The keys of the article, such as d for delete, have no effect in the panel.
  await page.keyboard.press('d');
  await page.keyboard.press('Tab');
  await page.keyboard.type('typed');
  await page.keyboard.press('Escape');
  await panelOf(page).waitFor({ state: 'hidden' });
  await becomesStored('green', 'typed');

  expect(await page.evaluate('document.activeElement.id')).toBe('highlight-a1');
  await page.keyboard.press(' ');
  await panelOf(page).waitFor();
  await page.mouse.click(1200, 700);
  await panelOf(page).waitFor({ state: 'hidden' });
  await context.close();
});

it('a highlight is deleted in the panel, and can be restored', async () => {
  await highlight(QUOTE, { note: 'mine' });
  await app.database.query(`UPDATE annotations SET color = 'pink' WHERE user_id = $1`, [
    api.user.id,
  ]);
  const [context, page] = await opened();

  await markOf(page).click();
  await panelOf(page).getByRole('button', { name: 'Delete highlight' }).click();
  await page.getByText('Highlight deleted.').waitFor();
  expect(await page.locator('mark.highlight').count()).toBe(0);
  expect(await page.locator('#note-a1').count()).toBe(0);
  expect(await stored()).toEqual([]);

  await page.getByRole('button', { name: 'Undo' }).click();
  await page.waitForSelector('mark.highlight');
  expect(await stored()).toEqual([{ quote: QUOTE, color: 'pink', note: 'mine' }]);
  await context.close();
});

it('a failed change stays in the panel, with the reason', async () => {
  await highlight(QUOTE);
  const [context, page] = await opened({ serviceWorkers: 'block' });
  await markOf(page).click();
  await app.database.query('DELETE FROM annotations WHERE user_id = $1', [api.user.id]);

  await panelOf(page).getByLabel('Note').fill('not lost');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#highlight-panel [role=alert]:not(:empty)');
  expect(await panelOf(page).getByLabel('Note').inputValue()).toBe('not lost');
  expect(await page.locator('#note-a1 .note').count()).toBe(0);
  await panelOf(page).getByRole('button', { name: 'Close' }).click();
  await panelOf(page).waitFor({ state: 'hidden' });
  await context.close();
});

it('a quote is copied with its source from the panel, the list, the selection and all highlights', async () => {
  await highlight(QUOTE);
  const [context, page] = await opened();
  const clear = () => page.evaluate(`navigator.clipboard.writeText('nothing')`);
  const isCopied = async () => {
    await page.getByText('Copied.').waitFor();
    expect(await copied(page)).toBe(COPIED);
    await page.getByLabel('Close notice').click();
    await clear();
  };

  await markOf(page).click();
  await panelOf(page).getByRole('button', { name: 'Copy as quote' }).click();
  await page.getByText('Copied.').waitFor();
  expect(await copied(page, 'text/html')).toContain(
    '<a href="https://harbour.example/">The harbour</a>, Ada Keeper',
  );
  await isCopied();
  await page.locator('#note-a1').getByRole('button', { name: 'Copy as quote' }).click();
  await isCopied();
  await select(page);
  await page.locator('#selection-bar').getByRole('button', { name: 'Copy as quote' }).click();
  await isCopied();
  await page.goto('/highlights');
  await page.getByRole('button', { name: 'Copy as quote' }).click();
  await isCopied();
  await context.close();
});

it('a quote is copied where the browser has no clipboard for pages', async () => {
  await highlight(QUOTE);
  const [context, page] = await opened();
  await page.evaluate(`Object.defineProperty(window, 'isSecureContext', { value: false })`);

  await markOf(page).click();
  await panelOf(page).getByRole('button', { name: 'Copy as quote' }).click();
  await page.getByText('Copied.').waitFor();

  expect(await copied(page)).toBe(COPIED);
  await context.close();
});

it('selected text is highlighted in a color, and the next key press uses the same color', async () => {
  const [context, page] = await opened();

  await select(page);
  await page.getByRole('button', { name: 'Highlight in green' }).click();
  await page.waitForSelector('mark.highlight[data-color="green"]');
  await app.database.query('DELETE FROM annotations WHERE user_id = $1', [api.user.id]);
  await page.reload();
  await select(page);
  await page.waitForSelector('#selection-bar:not([hidden])');
  await page.keyboard.press('h');
  await page.waitForSelector('mark.highlight[data-color="green"]');
  await context.close();
});

it('selected text is highlighted with a note from the panel, or not at all', async () => {
  const [context, page] = await opened();

  await select(page);
  await page.getByRole('button', { name: 'Highlight with note' }).click();
  await page.keyboard.press('Escape');
  await panelOf(page).waitFor({ state: 'hidden' });
  expect(await stored()).toEqual([]);

  await select(page);
  await page.waitForSelector('#selection-bar:not([hidden])');
  await page.keyboard.press('n');
  await page.keyboard.type('why?');
  await panelOf(page).getByLabel('Pink').check();
  await panelOf(page).getByRole('button', { name: 'Save' }).click();
  await page.waitForSelector('mark.highlight[data-color="pink"]');
  expect(await stored()).toEqual([{ quote: QUOTE, color: 'pink', note: 'why?' }]);
  await context.close();
});

it('without scripts, a highlight links to its forms below the article', async () => {
  await highlight(QUOTE);
  const [context, page] = await opened({ javaScriptEnabled: false });

  await page.locator('mark.highlight a').click();
  expect(page.url()).toMatch(/#note-a1$/);
  await page.locator('#note-a1 summary').click();
  await page.locator('#note-a1').getByLabel('Pink').check();
  await page.locator('#note-a1').getByLabel('Note').fill('by hand');
  await page.locator('#note-a1').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Highlight saved.').waitFor();
  expect(await colorOf(page)).toBe('pink');
  expect(await page.locator('#note-a1 .note').innerText()).toBe('by hand');

  await page.locator('#your-note').getByText('Add a note').click();
  await page.getByLabel('Note about this article').fill('on the whole');
  await page.getByRole('button', { name: 'Save note' }).click();
  expect(await page.locator('.note-text').innerText()).toBe('on the whole');
  await context.close();
});

it('words inside a link of the article are a link, not a highlight to open', async () => {
  await highlight('Nine lamps burn.');
  const [context, page] = await opened();

  expect(await page.locator('#article-text a mark').count()).toBe(1);
  expect(await page.locator('#article-text mark a').count()).toBe(0);
  await page.locator('mark.highlight', { hasText: 'burn.' }).click();
  await panelOf(page).waitFor();
  await context.close();
});
