import type { Browser, Page } from 'playwright-core';

import { violationsOf } from '../support/axe.js';
import { overflowOf } from '../support/browser-layout.js';
import { launchChromium } from '../support/chromium.js';
import {
  aListOf,
  chooseLayout,
  DESKTOP,
  openedList,
  PHONE,
  titlesOn,
} from '../support/list-browser.js';
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

const layoutOn = (page: Page) => page.locator('.items').getAttribute('data-layout');

/** Returns the number of items that are completely inside the window. */
const shownOn = (page: Page): Promise<number> =>
  page.evaluate<number>(
    `[...document.querySelectorAll('.items > li')].map((item) => item.getBoundingClientRect())
       .filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length`,
  );

/** Returns the number of lines of each tag of the first item, and whether the tag is cut, or outside of its line. */
const tagsOn = (page: Page): Promise<{ lines: number; isCut: boolean; isOutside: boolean }[]> =>
  page.evaluate(`[...document.querySelector('.items .labels').children].map((tag) => ({
    lines: Math.round(tag.clientHeight / 24),
    isCut: tag.scrollWidth > tag.clientWidth,
    isOutside: tag.getBoundingClientRect().right > tag.parentElement.getBoundingClientRect().right + 1,
  }))`);

it.each([390, 360, 320])(
  'tags wrap as a whole, and only long ones are cut: %d px',
  async (width) => {
    const api = await aListOf(app, 1);
    const tags = ['databases', 'to try', 'a tag that is much longer than the line of a phone'];
    const [item] = await api.items();
    await api.send([{ action: 'tags_replace', item_id: item?.item_id, tags }]).expect(200);
    const viewport = { width, height: 740 };
    const { page, context } = await openedList({ app, browser }, api, { viewport });

    expect(await tagsOn(page)).toEqual([
      { lines: 1, isCut: false, isOutside: false },
      { lines: 1, isCut: false, isOutside: false },
      { lines: 1, isCut: true, isOutside: false },
    ]);
    await context.close();
  },
);

it('the header and the search fit into a window of 320 px', async () => {
  const api = await aListOf(app, 1);
  const viewport = { width: 320, height: 740 };
  const { page, context } = await openedList({ app, browser }, api, { viewport });

  const [links, search] = await Promise.all([
    page.evaluate<number[]>(
      `[...document.querySelectorAll('.brand nav a')].map((link) => link.getBoundingClientRect().top)`,
    ),
    page.locator('.search button').boundingBox(),
  ]);
  expect(new Set(links).size).toBe(1);
  expect((search?.x ?? 0) + (search?.width ?? 0)).toBeLessThanOrEqual(300);
  await context.close();
});

describe('the layout of the list', () => {
  it('applies at once, after a reload, and on other devices', async () => {
    const api = await aListOf(app, 20);
    const desktop = await openedList({ app, browser }, api, { viewport: DESKTOP });
    expect(await layoutOn(desktop.page)).toBe('list');
    expect(await desktop.page.locator('.excerpt').first().isVisible()).toBe(true);

    await chooseLayout(desktop.page, 'Compact');

    expect(await desktop.page.locator('.excerpt').first().isVisible()).toBe(false);
    expect(await shownOn(desktop.page)).toBeGreaterThanOrEqual(14);
    await desktop.page.reload();
    expect(await layoutOn(desktop.page)).toBe('compact');
    expect(await shownOn(desktop.page)).toBeGreaterThanOrEqual(14);
    const phone = await openedList({ app, browser }, api, {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    });
    expect(await layoutOn(phone.page)).toBe('compact');
    expect(await shownOn(phone.page)).toBeGreaterThanOrEqual(8);

    await chooseLayout(phone.page, 'Cards');
    await desktop.page.reload();

    expect(await desktop.page.getByRole('button', { name: 'Cards', pressed: true }).count()).toBe(
      1,
    );
    const tops = await desktop.page.evaluate<number[]>(
      `[...document.querySelectorAll('.items > li')].map((item) => item.getBoundingClientRect().top)`,
    );
    expect(tops[1]).toBe(tops[0]);
    await desktop.context.close();
    await phone.context.close();
  });

  it('stays as it was if the service is unreachable', async () => {
    const { context, page } = await openedList({ app, browser }, await aListOf(app, 3));
    await context.setOffline(true);

    await page.getByRole('button', { name: 'Compact' }).click();

    await page.getByText('Satchel cannot be reached.').waitFor();
    expect(await layoutOn(page)).toBe('list');
    await context.close();
  });

  it.each(['light', 'dark'] as const)(
    'has no accessibility violations and fits in the %s color scheme',
    async (colorScheme) => {
      const api = await aListOf(app, 45);
      const { context, page } = await openedList({ app, browser }, api, {
        colorScheme,
        bypassCSP: true,
      });
      const found: string[] = [];
      for (const layout of ['List with excerpts', 'Compact', 'Cards']) {
        await chooseLayout(page, layout);
        for (const width of [320, 390, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(`/list?done=delete&items=${(await api.items())[0]?.item_id}`);
          if (width < 700) {
            await page.locator('.more summary').first().click();
            await page.getByRole('button', { name: 'Delete' }).first().waitFor();
          }
          found.push(...(await violationsOf(page)));
          await page.locator('.items .pick').first().click();
          await page.locator('.tagging summary').click();
          await page.getByLabel('Tags, separated by commas').waitFor();
          found.push(...(await violationsOf(page)));
          expect(await overflowOf(page)).toBeLessThanOrEqual(0);
        }
      }

      expect(found).toEqual([]);
      await context.close();
    },
  );
});

describe('the bar for selected items', () => {
  it('appears with the first selected item, counts, and goes with the last one', async () => {
    const { context, page } = await openedList({ app, browser }, await aListOf(app, 4));
    const bar = page.locator('.many');
    expect(await bar.isVisible()).toBe(false);

    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');

    expect(await page.locator('.count').innerText()).toBe('2 selected');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    expect(await bar.isVisible()).toBe(false);
    expect(await page.locator('.pick :checked').count()).toBe(0);
    await context.close();
  });

  it('changes all results of every page in place, and the change can be undone', async () => {
    const api = await aListOf(app, 130);
    const { context, page } = await openedList({ app, browser }, api);
    const pages: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) {
        pages.push(request.url());
      }
    });
    await page.locator('.items .pick').first().click();

    await page.getByLabel('Select all 130 items, on every page').check();
    expect(await page.locator('.count').innerText()).toBe('All results selected');
    await page.locator('.many').getByRole('button', { name: 'Archive' }).click();

    await page.getByText('130 items archived.').waitFor();
    await page.getByText('You have no unread items').waitFor();
    expect(await api.found({ state: 'archive', total: 1 })).toMatchObject({ total: '130' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('130 items marked unread.').waitFor();
    expect(await titlesOn(page)).toHaveLength(40);
    expect(await page.locator('.over .hint').innerText()).toBe('130 items');
    expect(pages).toEqual([]);
    await context.close();
  });

  it('shows the error page of the service if the service rejects the change', async () => {
    const { context, page } = await openedList({ app, browser }, await aListOf(app, 2));
    await page.locator('.items .pick').first().click();
    await page.locator('.tagging summary').click();
    await page.getByLabel('Tags, separated by commas').fill('x'.repeat(101));

    await page.getByRole('button', { name: 'Add tags' }).click();

    await page.getByRole('heading', { name: 'Bad Request' }).waitFor();
    await context.close();
  });
});

describe('the number of items and the notice', () => {
  it('stay right and in the window after each change, and never cover the focus', async () => {
    const api = await aListOf(app, 12);
    const { context, page } = await openedList({ app, browser }, api, {
      viewport: { width: 390, height: 500 },
    });
    const total = page.locator('.over .hint');
    await page.keyboard.press('j');

    await page.keyboard.press('a');
    await page.getByText('Archived.').waitFor();
    expect(await total.innerText()).toBe('11 items');
    await page.keyboard.press('d');
    await page.getByText('Deleted.').waitFor();
    expect(await total.innerText()).toBe('10 items');
    await page.keyboard.press('u');
    await page.getByText('Undone.').waitFor();
    expect(await total.innerText()).toBe('11 items');

    const covered: string[] = [];
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab');
      covered.push(await page.evaluate<string>(COVERED));
    }
    expect(covered.filter((name) => name !== '')).toEqual([]);
    const notice = await page.locator('.done').boundingBox();
    expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThanOrEqual(500);
    await page.getByRole('button', { name: 'Close notice' }).click();
    expect(await page.locator('.done').innerText()).toBe('');
    await context.close();
  });

  it('come with the next items if the last one of the page is gone', async () => {
    const api = await aListOf(app, 41);
    const { context, page } = await openedList({ app, browser }, api);
    const first = await api.items({ sort: 'newest', count: 30 });
    const second = await api.items({ sort: 'newest', count: 10, offset: 30 });
    const [, ...others] = [...first, ...second];
    const actions = others.map(({ item_id: id }) => ({ action: 'archive', item_id: id }));
    await api.send(actions).expect(200);
    await page.reload();
    expect(await titlesOn(page)).toEqual(['item 40', 'item 0']);
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.getByText('1 item', { exact: true }).waitFor();

    await page.keyboard.press('a');
    await page.getByText('You have no unread items').waitFor();
    await page.keyboard.press('u');

    await page.getByRole('link', { name: 'item 0' }).waitFor();
    expect(await page.locator('.over .hint').innerText()).toBe('1 item');
    await context.close();
  });
});

/** The text of the focused element if the notice covers it. Otherwise empty. */
const COVERED = `(() => {
  const focused = document.activeElement;
  const notice = document.querySelector('.done');
  const [a, b] = [focused, notice].map((one) => one.getBoundingClientRect());
  const isBelow = a.bottom > b.top && a.top < b.bottom && a.right > b.left && a.left < b.right;
  return isBelow && !notice.contains(focused) && focused !== document.body ? focused.outerHTML : '';
})()`;
