import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchChromium } from '../support/chromium.js';
import {
  aListOf,
  chooseLayout,
  openedList,
  PHONE,
  statusOf,
  titlesOn,
} from '../support/list-browser.js';
import type { ReadingListApi } from '../support/reading-list-api.js';
import { aTestApp, type TestApp } from '../support/test-app.js';
import { swipe } from '../support/touches.js';

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

describe('a swipe', () => {
  let api: ReadingListApi;
  let context: BrowserContext;
  let page: Page;

  beforeEach(async () => {
    api = await aListOf(app, 8);
    ({ context, page } = await openedList({ app, browser }, api, {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    }));
  });
  afterEach(() => context.close());

  const middleOf = async (title: string): Promise<readonly [number, number]> => {
    const box = await page.locator('.items > li', { hasText: title }).first().boundingBox();
    return [195, (box?.y ?? 0) + 30];
  };

  it('to the right archives the item, and can be undone', async () => {
    const [x, y] = await middleOf('item 7');

    await swipe(page, [x - 100, y], [x + 100, y + 10]);

    await page.getByText('Archived.').waitFor();
    expect(await statusOf(api, 'item 7')).toBe('1');
    expect(page.url()).toBe(`${app.url}/list`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await statusOf(api, 'item 7')).toBe('0');
  });

  it('to the left shows and runs the deletion', async () => {
    const [x, y] = await middleOf('item 7');

    await swipe(page, [x + 100, y], [x - 100, y]);

    await page.getByText('Deleted.').waitFor();
    expect(await statusOf(api, 'item 7')).toBeUndefined();
  });

  it('to the left archives the item if the page is written from right to left', async () => {
    await page.evaluate(`document.documentElement.dir = 'rtl'`);
    const [x, y] = await middleOf('item 7');

    await swipe(page, [x + 100, y], [x - 100, y]);

    await page.getByText('Archived.').waitFor();
    expect(await statusOf(api, 'item 7')).toBe('1');
  });

  it('that is short, goes back or scrolls the page changes nothing', async () => {
    const [x, y] = await middleOf('item 7');

    await swipe(page, [x, y], [x + 50, y]);
    await swipe(page, [x - 100, y], [x + 100, y], [x - 90, y]);
    await swipe(page, [x, y + 300], [x + 30, y + 100]);

    // The change that follows shows that the earlier movements changed nothing.
    await page.getByRole('button', { name: 'Favorite' }).first().click();
    await page.getByText('Added to favorites.').waitFor();
    expect(await titlesOn(page)).toHaveLength(8);
    expect(await api.items({ state: 'unread' })).toHaveLength(8);
    expect(page.url()).toBe(`${app.url}/list`);
  });

  it('needs no finger: the same actions are buttons, in a menu where there is no room', async () => {
    await chooseLayout(page, 'Compact');
    const item = page.locator('.items > li', { hasText: 'item 7' }).first();
    expect(await item.getByRole('button', { name: 'Delete' }).isVisible()).toBe(false);

    await item.locator('summary').click();
    await item.getByRole('button', { name: 'Delete' }).click();

    await page.getByText('Deleted.').waitFor();
    expect(await statusOf(api, 'item 7')).toBeUndefined();
  });
});
