import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { DeletionsService } from '../../src/reading-list/deletions/deletions.service.js';
import { PASSWORD, type SignedIn } from '../support/account-api.js';
import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let browser: Browser;

beforeAll(async () => {
  app = await aTestApp();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const START = 1_700_000_000;

/** Creates a reader with items `item 0`, `item 1` and so on. The last one is the newest. */
async function aListOf(count: number): Promise<ReadingListApi> {
  const api = await ReadingListApi.of(app);
  const actions = Array.from({ length: count }, (_, at) => ({
    ...{ action: 'add', url: `https://example.com/${at}`, title: `item ${at}` },
    ...{ tags: 'first,second tag', time: START + at },
  }));
  await api.send(actions).expect(200);
  return api;
}

async function opened(
  { user }: { readonly user: SignedIn },
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${app.url}/auth/login`);
  await page.getByLabel('Email address').fill(user.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  // Navigating before the form is answered would cancel the login.
  await page.waitForURL(/\/list/);
  await page.goto(`${app.url}/list`);
  return { context, page };
}

const titlesOn = (page: Page): Promise<string[]> => page.locator('.items h2').allInnerTexts();

const focusedOn = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement.textContent');

const statusOf = async (api: ReadingListApi, title: string): Promise<string | undefined> =>
  (await api.items({ state: 'all', search: title }))[0]?.status;

describe.each(['light', 'dark'] as const)('list pages in the %s color scheme', (colorScheme) => {
  it.each([320, 390, 1280])('have no accessibility violations and fit at %i px', async (width) => {
    const api = await aListOf(6);
    const options = { colorScheme, viewport: { width, height: 800 }, bypassCSP: true };
    const { context, page } = await opened(api, options);
    const found: string[] = [];
    const [{ item_id: id } = { item_id: '' }, { item_id: deleted } = { item_id: '' }] =
      await api.items();
    await app.app.get(DeletionsService, { strict: false }).delete(api.user.id, [deleted]);
    await app.database.query(
      `UPDATE items SET stamp = stamp + 1, fetch_failed = 1, is_article = 1, word_count = 100, lang = 'de' WHERE user_id = $1`,
      [api.user.id],
    );

    for (const path of [
      `/list?done=delete&items=${id}`,
      '/list?tag=first&state=archive',
      '/list?tag=first&sort=site',
      `/list/tags?item=${id}`,
      '/list/tags/all',
      '/list/lists',
      '/list/tags/edit?tag=first',
      '/list?state=failed',
      '/list?time=short&language=de&sort=longest',
      '/list/trash',
      '/list/trash/empty',
    ]) {
      await page.goto(`${app.url}${path}`);
      await page.evaluate(`document.querySelectorAll('summary').forEach((one) => one.click())`);
      found.push(...(await violationsOf(page)));
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    }
    await page.goto(`${app.url}/list`);
    await page.keyboard.press('?');
    found.push(...(await violationsOf(page)));

    expect(found).toEqual([]);
    await context.close();
  });
});

describe('keyboard shortcuts', () => {
  it('move through items, change them and undo changes without a page load', async () => {
    const api = await aListOf(4);
    const { context, page } = await opened(api);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.resourceType()));
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focusedOn(page)).toBe('item 2');
    await page.keyboard.press('k');
    expect(await focusedOn(page)).toBe('item 3');

    await page.keyboard.press('a');
    await page.getByText('Archived.').waitFor();

    expect(await titlesOn(page)).toEqual(['item 2', 'item 1', 'item 0']);
    expect(await focusedOn(page)).toBe('item 2');
    expect(await statusOf(api, 'item 3')).toBe('1');
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    expect(await titlesOn(page)).toEqual(['item 3', 'item 2', 'item 1', 'item 0']);
    expect(await statusOf(api, 'item 3')).toBe('0');

    await page.keyboard.press('d');
    await page.getByText('Deleted.').waitFor();
    expect(await statusOf(api, 'item 3')).toBeUndefined();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await statusOf(api, 'item 3')).toBe('0');

    await page.keyboard.press('f');
    await page.getByText('Added to favorites.').waitFor();
    expect((await api.items({ favorite: 1 })).map(({ given_title: title }) => title)).toEqual([
      'item 3',
    ]);
    expect(requests).not.toContain('document');
    await context.close();
  });

  it('open the help, the search, the tags and the article', async () => {
    const { context, page } = await opened(await aListOf(2));

    await page.keyboard.press('?');
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).innerText()).toContain(
      'Archive',
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('a j d');
    expect(await page.getByRole('searchbox').inputValue()).toBe('a j d');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('t');
    await page.waitForURL(/\/list\/tags\?/);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Tags of item 1');
    await page.goBack();
    await page.keyboard.press('j');
    await page.keyboard.press('o');
    await page.waitForURL(/\/read\/\d+$/);
    await context.close();
  });

  it('ignore keys with a modifier', async () => {
    const { context, page } = await opened(await aListOf(2));

    await page.keyboard.press('j');
    await page.keyboard.press('Control+d');
    await page.keyboard.press('Alt+a');

    expect(await titlesOn(page)).toHaveLength(2);
    await context.close();
  });
});

/** Returns the text of the notice about an action, as soon as there is one. */
const noticeOf = (page: Page): Promise<string> => page.locator('.done p').innerText();

describe('an item that an action leaves in the view', () => {
  it.each(['/list?state=all', '/list?tag=first', '/list?search=item&in=titles'])(
    'shows its new state, as after a reload: %s',
    async (path) => {
      const api = await aListOf(2);
      const { context, page } = await opened(api);
      await page.goto(`${app.url}${path}`);
      const entry = page.locator('.items > li').first();

      await entry.getByRole('button', { name: 'Archive' }).click();
      expect(await noticeOf(page)).toBe('Archived.');

      const shown = (await entry.innerHTML()).replaceAll(/\s+/g, ' ');
      expect(await titlesOn(page)).toEqual(['item 1', 'item 0']);
      expect(await entry.getByRole('button', { name: 'Mark unread' }).count()).toBe(1);
      await page.reload();
      expect((await entry.innerHTML()).replaceAll(/\s+/g, ' ')).toBe(shown);
      await entry.getByRole('button', { name: 'Mark unread' }).click();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Undone.').waitFor();
      expect(await entry.getByText('Archived', { exact: true }).count()).toBe(1);
      expect(await statusOf(api, 'item 1')).toBe('1');
      await context.close();
    },
  );

  it('leaves the favorites without a reload if it is no longer a favorite', async () => {
    const api = await aListOf(2);
    const items = await api.items();
    await api.send(items.map(({ item_id: id }) => ({ action: 'favorite', item_id: id })));
    const { context, page } = await opened(api);
    await page.goto(`${app.url}/list?state=favorites`);
    const [first = '', second = ''] = await titlesOn(page);
    const entry = page.locator('.items > li').first();

    await entry.getByRole('button', { name: 'Archive' }).click();
    expect(await noticeOf(page)).toBe('Archived.');
    expect(await titlesOn(page)).toEqual([first, second]);
    await entry.getByRole('button', { name: 'Remove favorite' }).click();
    await page.getByText('Removed from favorites.').waitFor();

    expect(await titlesOn(page)).toEqual([second]);
    await context.close();
  });
});

describe('a bulk change', () => {
  it('archives all selected items, and can be undone', async () => {
    const api = await aListOf(45);
    const { context, page } = await opened(api);
    await page.getByLabel('Select all on this page').check();
    expect(await page.locator('.count').innerText()).toBe('40 selected');

    await page.locator('.many').getByRole('button', { name: 'Archive' }).click();

    await page.getByText('40 items archived.').waitFor();
    expect(await titlesOn(page)).toHaveLength(5);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('40 items marked unread.').waitFor();
    expect(await titlesOn(page)).toHaveLength(40);
    await context.close();
  });
});

describe('an action while the service is unreachable', () => {
  it('shows an error and keeps the item in the list', async () => {
    // With the service worker, a change would wait for the network (reader-front.browser-spec.ts).
    const { context, page } = await opened(await aListOf(2), { serviceWorkers: 'block' });
    await page.keyboard.press('j');
    await context.setOffline(true);

    await page.keyboard.press('a');

    await page.getByText('Satchel cannot be reached.').waitFor();
    expect(await titlesOn(page)).toHaveLength(2);
    await context.close();
  });
});

describe('an action whose script cannot be loaded', () => {
  it('loads the page again', async () => {
    const api = await aListOf(2);
    const { context, page } = await opened(api, { serviceWorkers: 'block' });
    await page.route(/\/list-more\./, (route) => route.abort());

    await page.getByRole('button', { name: 'Archive', exact: true }).first().click();

    await page.locator('form#undo').waitFor();
    expect(await titlesOn(page)).toEqual(['item 0']);
    expect(await statusOf(api, 'item 1')).toBe('1');
    await context.close();
  });
});

describe('a button that the user presses for longer than its script needs to load', () => {
  it('archives the item, although the style sheet of notices arrives later', async () => {
    const api = await aListOf(2);
    const { context, page } = await opened(api, { serviceWorkers: 'block' });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/list-more\.[^/]*css$/, async (route) => {
      await released;
      await route.continue();
    });
    const button = page.getByRole('button', { name: 'Archive', exact: true }).first();
    const place = await button.boundingBox();
    const isRequested = page.waitForRequest(/\/list-more\.[^/]*css$/);

    await button.hover();
    await page.mouse.down();
    await isRequested;

    expect(await button.boundingBox()).toEqual(place);
    await page.mouse.up();
    release();
    expect(await noticeOf(page)).toBe('Archived.');
    await context.close();
  });
});
