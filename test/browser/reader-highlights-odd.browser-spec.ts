import type { Browser, Page } from 'playwright-core';

import { launchChromium } from '../support/chromium.js';
import { until } from '../support/processes.js';
import { logIn } from '../support/reader-browser.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const WORDS = 'Plain words about the harbour and its lamps, which keepers trim at dusk. '.repeat(9);
const ARTICLE = `<title>The harbour</title><article><h1>The harbour</h1><p>${WORDS}</p>
  <p>One two three four.</p><p>Nine <a href="https://lamps.example/">lamps</a> burn. ${WORDS}</p>
  <p>Above the picture. <img src="https://harbour.example/a.png" alt="A tall lamp"> Below it.</p>
  ${`<p>${WORDS}</p>`.repeat(8)}</article>`;

let app: TestApp;
let api: ReadingListApi;
let browser: Browser;
let page: Page;
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
afterEach(() => page.context().close());

async function open(): Promise<void> {
  const context = await browser.newContext({ baseURL: app.url, serviceWorkers: 'block' });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await logIn(page, api.user);
  await page.goto(`/read/${id}`);
  await page.waitForSelector('#article-text');
}

const highlight = (annotationId: string, quote: string, note = ''): Promise<unknown> =>
  api.results({
    ...{ action: 'add_annotation', item_id: id },
    annotation: { annotation_id: annotationId, quote, note },
  });

const paint = (annotationId: string, color: string): Promise<unknown> =>
  app.database.query(
    'UPDATE annotations SET color = $1 WHERE user_id = $2 AND annotation_id = $3',
    [color, api.user.id, annotationId],
  );

const panel = () => page.getByRole('dialog', { name: 'Highlight' });
const stored = async (): Promise<unknown[]> =>
  app.database.query('SELECT quote, color, note FROM annotations WHERE user_id = $1', [
    api.user.id,
  ]);
const becomesStored = (...wanted: unknown[]): Promise<void> =>
  until(async () => JSON.stringify(await stored()) === JSON.stringify(wanted), 'the highlight');

/** Fails requests for changes of highlights, or delays the first of them. */
const onChange = (isFirst: (count: number) => Promise<boolean>): Promise<unknown> => {
  let count = 0;
  return page.route('**/highlights/note', async (route) => {
    count += 1;
    await ((await isFirst(count)) ? route.continue() : route.abort());
  });
};

it('the panel stores the last of several colors, even if the first request is slow', async () => {
  await highlight('a1', 'One two three four.');
  await open();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await onChange(async (count) => {
    if (count === 1) {
      await released;
    }
    return true;
  });

  await page.locator('#highlight-a1').click();
  await panel().getByLabel('Green').check();
  await panel().getByLabel('Pink').check();
  setTimeout(release, 1000);
  await panel().getByLabel('Note').fill('done');
  await panel().getByRole('button', { name: 'Save' }).click();
  await page.getByText('Highlight saved.').waitFor();

  await becomesStored({ quote: 'One two three four.', color: 'pink', note: 'done' });
});

it('the panel saves a note that was written after a color could not be saved', async () => {
  await highlight('a1', 'One two three four.');
  await open();
  await onChange((count) => Promise.resolve(count > 1));
  await page.locator('#highlight-a1').click();
  await panel().getByLabel('Green').check();
  await page.waitForSelector('#highlight-panel [role=alert]:not(:empty)');

  await panel().getByLabel('Note').fill('not lost');
  await page.keyboard.press('Escape');

  await becomesStored({ quote: 'One two three four.', color: 'green', note: 'not lost' });
});

it('a note for new words is saved when the panel closes', async () => {
  await open();
  await page.evaluate(`{
    const words = document.querySelectorAll('#article-text p')[1].firstChild;
    getSelection().setBaseAndExtent(words, 0, words, 7);
  }`);
  await page.waitForSelector('#selection-bar:not([hidden])');
  await page.keyboard.press('n');
  await page.keyboard.type('not lost');

  await page.keyboard.press('Escape');

  await becomesStored({ quote: 'One two', color: 'yellow', note: 'not lost' });
});

it('after a deletion, the words show the shortest highlight that is left', async () => {
  await highlight('long', 'One two three four.');
  await highlight('short', 'two three', 'mine');
  await highlight('middle', 'One two three');
  await highlight('least', 'two');
  await paint('short', 'green');
  await paint('middle', 'blue');
  await paint('least', 'pink');
  await open();
  await page.locator('mark[data-top="least"]').click();

  await panel().getByRole('button', { name: 'Delete highlight' }).click();
  await page.getByText('Highlight deleted.').waitFor();

  const seen = async () =>
    page.evaluate(`[...document.querySelectorAll('#article-text mark')].map((mark) =>
      [mark.textContent.trim(), mark.dataset.top, mark.dataset.color, mark.title, mark.tabIndex].join('|'))`);
  const now = await seen();
  await page.reload();
  expect(now).toEqual([
    'One|middle|blue|Blue highlight|0',
    'two|short|green|Green highlight with a note|0',
    'three|short|green||-1',
    'four.|long|yellow|Yellow highlight|0',
  ]);
});

it('a click on a link in a highlight follows the link, and does not open the panel', async () => {
  await highlight('a1', 'Nine lamps burn.');
  await open();
  await page.evaluate(
    `document.querySelector('#article-text a mark').parentElement.addEventListener('click', (event) => event.preventDefault())`,
  );

  await page.locator('#article-text a mark').click();

  expect(await panel().isVisible()).toBe(false);
});

it('words around a picture that does not load can be highlighted', async () => {
  await open();
  await page.locator('#article-text', { hasText: 'A tall lamp' }).waitFor();
  await page.evaluate(`{
    const paragraph = document.querySelector('#article-text img').closest('p');
    getSelection().selectAllChildren(paragraph);
  }`);
  await page.waitForSelector('#selection-bar:not([hidden])');

  await page.keyboard.press('h');

  await until(async () => (await stored()).length === 1, 'the highlight');
});
