import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { logIn } from './reader-browser.js';
import { ReadingListApi } from './reading-list-api.js';
import type { TestApp } from './test-app.js';

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };

const START = 1_700_000_000;
const MOST_ACTIONS = 100;
const LONG = 'A title that is so long that it does not fit into one line of any list on a phone';

/** Creates a list with items `item 0`, `item 1` and so on, the last one first. The articles have excerpts and authors. */
export async function aListOf(app: TestApp, count: number): Promise<ReadingListApi> {
  const api = await ReadingListApi.of(app);
  const actions = Array.from({ length: count }, (_, at) => ({
    ...{ action: 'add', url: `https://site${at}.example.com/${at}`, time: START + at },
    ...{ title: at % 4 === 1 ? `${LONG} ${at}` : `item ${at}`, tags: at % 3 === 0 ? 'a,b c' : '' },
  }));
  for (let at = 0; at < count; at += MOST_ACTIONS) {
    await api.send(actions.slice(at, at + MOST_ACTIONS)).expect(200);
  }
  await app.database.query(
    `UPDATE items SET excerpt = repeat('Some words of the article. ', 8), is_article = 1, word_count = 2200,
     media = '{"authors":[{"id":"1","name":"Ada Byron","url":""}],"images":[],"videos":[]}'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [api.user.email],
  );
  return api;
}

/** Logs in, and opens the list. Service workers are off, since they would queue changes without a network. */
export async function openedList(
  { app, browser }: { readonly app: TestApp; readonly browser: Browser },
  { user }: ReadingListApi,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    ...{ serviceWorkers: 'block', baseURL: app.url },
    ...options,
  });
  const page = await context.newPage();
  await logIn(page, user);
  await page.goto('/list');
  return { context, page };
}

/** Chooses a layout, and waits until it is stored. */
export async function chooseLayout(page: Page, layout: string): Promise<void> {
  const stored = page.waitForResponse(/\/list\/layout$/);
  await page.getByRole('button', { name: layout, exact: true }).click();
  await stored;
}

export const titlesOn = (page: Page): Promise<string[]> =>
  page.locator('.items h2').allInnerTexts();

/** Returns the status of the item with this title. Undefined if the list does not have it. */
export const statusOf = async (api: ReadingListApi, title: string): Promise<string | undefined> =>
  (await api.items({ state: 'all', search: title }))[0]?.status;
